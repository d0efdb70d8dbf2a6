"""Edges between memories: kept by memory id, bound to a target while it lives, else deferred."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from commonplace.domain.memory import Link, Version
from commonplace.domain.scope import GLOBAL
from commonplace.errors import Cycle, SelfLink
from commonplace.store import names
from commonplace.store.connection import Database
from commonplace.store.rows import fetch

HELD = (
    "SELECT type, to_scope, to_name FROM links"
    " WHERE from_memory_id = ? AND origin = 'authored' ORDER BY type, to_scope, to_name"
)
_DROP = (
    "DELETE FROM links WHERE from_memory_id = ? AND type = ? AND to_scope = ? AND to_name = ?"
    " AND origin = 'authored'"
)
_PUT = (
    "INSERT INTO links (from_memory_id, type, to_memory_id, to_scope, to_name, origin)"
    " VALUES (?, ?, ?, ?, ?, 'authored') ON CONFLICT DO NOTHING"
)
_LOG = (
    "INSERT INTO link_changes (from_memory_id, at, author, done, type, to_scope, to_name)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
BIND = (
    "UPDATE links SET to_memory_id = :memory_id"
    " WHERE to_memory_id IS NULL AND to_scope = :scope AND to_name = :name"
    " AND from_memory_id <> :memory_id"
)
UNBIND = "UPDATE links SET to_memory_id = NULL WHERE to_memory_id = ?"
FOLLOW = "UPDATE OR REPLACE links SET to_scope = ?, to_name = ? WHERE to_memory_id = ?"
_FOLLOW_DEFERRED = (
    "UPDATE OR REPLACE links SET to_scope = :to_scope, to_name = :to_name"
    " WHERE to_memory_id IS NULL AND to_scope = :scope AND to_name = :name"
)
_FOLLOW_SCOPE = (
    "UPDATE OR REPLACE links SET to_scope = ? WHERE to_memory_id IS NULL AND to_scope = ?"
)
_BIND_SCOPE = """
UPDATE links SET to_memory_id = v.memory_id
FROM memory_versions AS v
WHERE links.to_memory_id IS NULL AND links.to_scope = ?
    AND v.scope = links.to_scope AND v.name = links.to_name
    AND v.superseded_by IS NULL AND v.deleted_at IS NULL AND v.memory_id <> links.from_memory_id
"""
RETURNS = """
WITH RECURSIVE reach (id) AS (
    SELECT to_memory_id FROM links
    WHERE from_memory_id = :start AND type = 'supersedes' AND to_memory_id IS NOT NULL
    UNION
    SELECT l.to_memory_id FROM reach JOIN links AS l ON l.from_memory_id = reach.id
    WHERE l.type = 'supersedes' AND l.to_memory_id IS NOT NULL
)
SELECT 1 FROM reach WHERE id = :start
"""
_ANY_RETURNS = """
WITH RECURSIVE reach (start, id) AS (
    SELECT from_memory_id, to_memory_id FROM links
    WHERE type = 'supersedes' AND to_memory_id IS NOT NULL
    UNION
    SELECT reach.start, l.to_memory_id FROM reach JOIN links AS l ON l.from_memory_id = reach.id
    WHERE l.type = 'supersedes' AND l.to_memory_id IS NOT NULL
)
SELECT 1 FROM reach WHERE id = start
"""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a link ends: the memory it is bound to, if one lives there, and its scope and name."""

    memory_id: str | None
    scope: str
    name: str


@dataclass(frozen=True, slots=True)
class Signed:
    """Who changes links, and when."""

    author: str
    at: str


def place(db: Database, version: Version, link: Link) -> Place:
    """Return where a link of this memory ends; without a scope in its own, else in global.

    Raises: SelfLink.
    """
    own = names.resolve(db, link.scope or version.scope)
    target = names.leads_to(db, own, link.name)
    if link.scope is None and target is None:
        target = names.leads_to(db, GLOBAL, link.name)
    bound = target is not None and target.deleted_at is None
    if (own, link.name) == (version.scope, version.name) or (
        bound and target is not None and target.memory_id == version.memory_id
    ):
        raise SelfLink(
            f"{version.scope} {version.name} cannot link to itself ({link.type});"
            " name another memory",
            scope=version.scope,
            name=version.name,
            type=link.type,
        )
    if bound and target is not None:
        return Place(target.memory_id, target.scope, target.name)
    return Place(None, own, link.name)


def replace(db: Database, version: Version, links: Iterable[Link], signed: Signed) -> None:
    """Make these the memory's authored links.

    Raises: SelfLink.
    """
    wanted = {
        (link.type, end.scope, end.name): end
        for link in links
        for end in (place(db, version, link),)
    }
    for type_, scope, name in fetch(db, HELD, (version.memory_id,)):
        if (type_, scope, name) not in wanted:
            drop(db, version, type_, (scope, name), signed)
    for (type_, _, _), end in wanted.items():
        put(db, version, type_, end, signed)


def put(db: Database, version: Version, type_: str, end: Place, signed: Signed) -> bool:
    """Make one authored link; say whether it was not there before."""
    db.execute(_PUT, (version.memory_id, type_, end.memory_id, end.scope, end.name))
    made = db.changes() == 1
    if made:
        _log(db, version, "linked", (type_, end.scope, end.name), signed)
    return made


def drop(
    db: Database, version: Version, type_: str, target: tuple[str, str], signed: Signed
) -> bool:
    """Take one authored link away; say whether it was there."""
    db.execute(_DROP, (version.memory_id, type_, *target))
    dropped = db.changes() == 1
    if dropped:
        _log(db, version, "unlinked", (type_, *target), signed)
    return dropped


def bind(db: Database, version: Version) -> None:
    """Bind the links that waited for this name."""
    db.execute(BIND, {"memory_id": version.memory_id, "scope": version.scope, "name": version.name})


def unbind(db: Database, memory_id: str) -> None:
    """Let the links to a forgotten memory wait for its name to come back."""
    db.execute(UNBIND, (memory_id,))


def follow(db: Database, version: Version) -> None:
    """Give the links to a renamed memory its new name."""
    db.execute(FOLLOW, (version.scope, version.name, version.memory_id))


def follow_deferred(db: Database, before: Version, after: Version) -> None:
    """Give the links that wait for a forgotten memory the name it would come back under."""
    db.execute(
        _FOLLOW_DEFERRED,
        {
            "scope": before.scope,
            "name": before.name,
            "to_scope": after.scope,
            "to_name": after.name,
        },
    )


def follow_scope(db: Database, old: str, new: str) -> None:
    """Let links that wait for a name in `old` wait for it in `new`, or bind where it is there."""
    db.execute(_FOLLOW_SCOPE, (new, old))
    db.execute(_BIND_SCOPE, (new,))


def refuse_cycle(db: Database, version: Version) -> None:
    """Check that following `supersedes` from a memory never comes back to it.

    Raises: Cycle.
    """
    if db.execute(RETURNS, {"start": version.memory_id}).get is not None:
        raise Cycle(
            f"{version.scope} {version.name} would supersede a memory that supersedes it;"
            " take one of the supersedes links away",
            scope=version.scope,
            name=version.name,
        )


def refuse_any_cycle(db: Database, old: str, new: str) -> None:
    """Check, after two scopes became one, that no `supersedes` chain comes back to its start.

    Raises: Cycle.
    """
    if db.execute(_ANY_RETURNS).get is not None:
        raise Cycle(
            f"joining {old} into {new} would close a circle of supersedes links;"
            " take one away first",
            old=old,
            new=new,
        )


def _log(
    db: Database, version: Version, done: str, edge: tuple[str, str, str], signed: Signed
) -> None:
    db.execute(_LOG, (version.memory_id, signed.at, signed.author, done, *edge))
