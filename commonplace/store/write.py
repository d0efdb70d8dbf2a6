"""One change inside an open transaction: load what is there, decide, append."""

from __future__ import annotations

from dataclasses import dataclass, replace

from commonplace.domain import life
from commonplace.domain.memory import Change, Version
from commonplace.errors import Internal
from commonplace.store import links, mentions, names, requests, vectors, words
from commonplace.store.base import Written
from commonplace.store.connection import Database
from commonplace.store.rows import values_of

_SCOPE = "INSERT INTO scopes (scope, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING"
_HEADS_FOLLOW = "UPDATE heads SET id = ?, version = ? WHERE memory_id = ?"
_WIN_HEAD = """
INSERT INTO heads (scope, name, memory_id, id, prev, version) VALUES (?, ?, ?, ?, NULL, ?)
ON CONFLICT (scope, name) DO UPDATE SET
    prev = heads.id,
    id = excluded.id,
    version = CASE WHEN heads.memory_id = excluded.memory_id
        THEN heads.version + 1 ELSE excluded.version END,
    memory_id = excluded.memory_id
RETURNING version
"""
_SUPERSEDE = "UPDATE memory_versions SET superseded_by = ? WHERE id = ? AND superseded_by IS NULL"
_INSERT = """
INSERT INTO memory_versions (id, memory_id, version, scope, name, type, description, body, pinned,
    author, created_at, superseded_by, deleted_at, deleted_by, expires_at, content_sha, meta)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_ENTOMB = (
    "UPDATE memory_versions SET deleted_at = ?, deleted_by = ?"
    " WHERE id = ? AND superseded_by IS NULL AND deleted_at IS NULL"
)


@dataclass(frozen=True, slots=True)
class Desk:
    """What one write works with: the writer's connection, its time, the word preparer."""

    db: Database
    now: str
    prepare: words.Prepare


def apply(desk: Desk, change: Change) -> Written:
    """Carry one change out, or give the answer it was given before.

    Raises: Exists, NotFound, VersionConflict, Cycle, SelfLink, Invalid.
    """
    settled = requests.settled(desk.db, change)
    if settled is not None:
        return settled
    asked = _resolved(desk.db, change)
    state = _state(desk.db, asked)
    version = life.decide(asked, state, desk.now)
    if asked.kind == "forget":
        entomb(desk, version)
    else:
        append(desk, version, state.current)
        _link(desk, asked, version)
    requests.settle(desk.db, change, version, desk.now)
    return Written(version, kind=change.kind)


def append(desk: Desk, version: Version, current: Version | None) -> None:
    """Add a row after `current`, if that is the same memory; a tombstone it has is kept."""
    db = desk.db
    before = current if current and current.memory_id == version.memory_id else None
    db.execute(_SCOPE, (version.scope, desk.now))
    if before and (before.scope, before.name) != (version.scope, version.name):
        db.execute(_HEADS_FOLLOW, (before.id, before.version, version.memory_id))
    _win_head(db, version)
    if before:
        words.drop(db, before.id)
        _one(db, _SUPERSEDE, (version.id, before.id))
    db.execute(_INSERT, values_of(version))
    if version.deleted_at is None:
        words.put(db, desk.prepare, version)
    if before:
        vectors.follow(db, before, version)


def entomb(desk: Desk, version: Version) -> None:
    """Set the tombstone on the newest row."""
    _one(desk.db, _ENTOMB, (version.deleted_at, version.deleted_by, version.id))
    words.drop(desk.db, version.id)
    vectors.drop(desk.db, version.id)
    links.unbind(desk.db, version.memory_id)
    mentions.fall_back(desk.db, version)


def _resolved(db: Database, change: Change) -> Change:
    to_scope = change.to_scope and names.resolve(db, change.to_scope)
    return replace(change, scope=names.resolve(db, change.scope), to_scope=to_scope)


def _state(db: Database, change: Change) -> life.State:
    current = names.leads_to(db, change.scope, change.name)
    wanted = target = None
    if current and change.kind == "restore" and change.version is not None:
        wanted = names.numbered(db, current.memory_id, change.version)
    if current and change.kind == "rename":
        target = names.leads_to(
            db, change.to_scope or current.scope, change.to_name or current.name
        )
    return life.State(current=current, wanted=wanted, target=target)


def _link(desk: Desk, change: Change, version: Version) -> None:
    if change.kind == "rename":
        links.follow(desk.db, version)
    if change.links is not None or change.kind == "remember":
        signed = links.Signed(change.author, desk.now)
        links.replace(desk.db, version, change.links or (), signed)
    if change.kind != "update" or change.body is not None:
        mentions.replace(desk.db, version)
    links.bind(desk.db, version)
    mentions.bind(desk.db, version)
    links.refuse_cycle(desk.db, version)


def _win_head(db: Database, version: Version) -> None:
    won = db.execute(
        _WIN_HEAD,
        (version.scope, version.name, version.memory_id, version.id, version.version),
    ).get
    if won != version.version:
        raise Internal(
            f"{version.scope} {version.name} was decided as version {version.version}, its head"
            f" says {won}; nothing was stored. The store is damaged: restore a copy of its file",
        )


def _one(db: Database, sql: str, binds: tuple[str | None, ...]) -> None:
    db.execute(sql, binds)
    if db.changes() != 1:
        raise Internal(f"a write met {db.changes()} rows where one was; nothing was stored")
