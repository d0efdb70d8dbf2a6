"""Reading memories whole, in lists, and as a stream of what changed."""

# ruff: noqa: S608 - statements are put together from constants only; every value is bound

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from commonplace.domain import life
from commonplace.domain.memory import Version
from commonplace.errors import NotFound
from commonplace.store import names
from commonplace.store.base import IndexRow, LinkRow, Memory, Selection
from commonplace.store.connection import Database
from commonplace.store.rows import COLUMNS, version_of
from commonplace.store.selection import LIVE, NEWEST, NOT_EXPIRED, NOT_SUPERSEDED, where

_IDS = "SELECT value FROM json_each(:ids)"
_BY_ID = f"SELECT {COLUMNS} FROM memory_versions AS v WHERE v.id IN ({_IDS})"
_SPANS = (
    "SELECT v.memory_id, max(v.version), min(v.created_at) FROM memory_versions AS v"
    f" WHERE v.memory_id IN ({_IDS}) GROUP BY v.memory_id"
)
LINKS_OUT = f"""
SELECT e.from_memory_id, e.type, coalesce(v.scope, e.to_scope), coalesce(v.name, e.to_name),
    e.origin, e.to_memory_id, coalesce(v.description, ''),
    v.id IS NOT NULL AND {NEWEST} AND {NOT_EXPIRED} AND {NOT_SUPERSEDED}
FROM links AS e
LEFT JOIN memory_versions AS v ON v.memory_id = e.to_memory_id AND v.superseded_by IS NULL
WHERE e.from_memory_id IN ({_IDS})
ORDER BY e.type, e.to_scope, e.to_name
"""
LINKS_IN = f"""
SELECT e.to_memory_id, e.type, v.scope, v.name, e.origin, e.from_memory_id, v.description,
    {LIVE}
FROM links AS e
JOIN memory_versions AS v ON v.memory_id = e.from_memory_id AND {NEWEST}
WHERE e.to_memory_id IN ({_IDS})
ORDER BY e.type, v.scope, v.name
"""
_SUPERSEDERS = f"""
SELECT e.to_memory_id, v.scope, v.name
FROM links AS e
JOIN memory_versions AS v ON v.memory_id = e.from_memory_id AND {NEWEST} AND {NOT_EXPIRED}
WHERE e.to_memory_id IN ({_IDS}) AND e.type = 'supersedes'
ORDER BY v.scope, v.name
"""
_HISTORY = f"""
SELECT {COLUMNS} FROM memory_versions AS v
WHERE v.memory_id IN (SELECT memory_id FROM memory_versions WHERE scope = ? AND name = ?)
ORDER BY v.created_at
"""
_INDEX_COLUMNS = (
    "v.scope, v.name, v.type, v.description, v.pinned, v.created_at,"
    " max(v.created_at, coalesce(r.last_read_at, ''))"
)
INDEX = (
    f"SELECT {_INDEX_COLUMNS} FROM memory_versions AS v"
    " LEFT JOIN reads AS r ON r.memory_id = v.memory_id WHERE {where}"
)
NEVER_READ = (
    f"SELECT {_INDEX_COLUMNS} FROM memory_versions AS v"
    " LEFT JOIN reads AS r ON r.memory_id = v.memory_id"
    f" WHERE r.memory_id IS NULL AND {LIVE} ORDER BY v.created_at LIMIT :limit"
)
RECENT = (
    "SELECT v.id FROM memory_versions AS v WHERE {where} ORDER BY v.created_at DESC LIMIT :limit"
)
CHANGED = f"""
SELECT {COLUMNS} FROM memory_versions AS v
WHERE v.seq IN (
    SELECT seq FROM memory_versions WHERE created_at > :since
    UNION ALL
    SELECT seq FROM memory_versions WHERE deleted_at IS NOT NULL AND deleted_at > :since
)
ORDER BY max(v.created_at, coalesce(v.deleted_at, '')) LIMIT :limit
"""
_LAST_STAMP = (
    "SELECT max(coalesce((SELECT max(created_at) FROM memory_versions), ''),"
    " coalesce((SELECT max(deleted_at) FROM memory_versions WHERE deleted_at IS NOT NULL), ''))"
)


def last_stamp(db: Database) -> str:
    """Return the latest stamp any write left, or ""."""
    return str(db.execute(_LAST_STAMP).get)


def get(db: Database, scope: str, name: str, version: int | None, now: str) -> Memory:
    """Return a memory by its name.

    Raises: NotFound.
    """
    scope = names.resolve(db, scope)
    current = names.leads_to(db, scope, name)
    if current is None:
        raise life.missing(scope, name, names.nearest(db, scope, name))
    if (current.scope, current.name) != (scope, name):
        raise life.renamed(scope, name, current)
    wanted = current if version is None else names.numbered(db, current.memory_id, version)
    if wanted is None:
        raise NotFound(
            f"{scope} {name} has no version {version}; it has 1 to {current.version}",
            scope=scope,
            name=name,
            versions=current.version,
        )
    return _whole(db, [wanted], now)[0]


def history(db: Database, scope: str, name: str) -> tuple[Version, ...]:
    """Return every version of every memory that ever bore the name, oldest first.

    Raises: NotFound.
    """
    scope = names.resolve(db, scope)
    rows = db.execute(_HISTORY, (scope, name)).fetchall()
    if not rows:
        raise life.missing(scope, name, names.nearest(db, scope, name))
    return tuple(version_of(row) for row in rows)


def load(db: Database, ids: Sequence[str], now: str) -> tuple[Memory, ...]:
    """Return the memories of these version ids, in their order."""
    rows = db.execute(_BY_ID, {"ids": json.dumps(list(ids))}).fetchall()
    found = {version.id: version for version in map(version_of, rows)}
    return _whole(db, [found[id_] for id_ in ids if id_ in found], now)


def index(db: Database, selection: Selection) -> tuple[IndexRow, ...]:
    """Return one row a selected memory."""
    condition, binds = where(db, selection)
    return tuple(_index_row(row) for row in db.execute(INDEX.format(where=condition), binds))


def never_read(db: Database, limit: int, now: str) -> tuple[IndexRow, ...]:
    """Return live memories without a read, oldest first."""
    rows = db.execute(NEVER_READ, {"now": now, "limit": max(limit, 0)})
    return tuple(_index_row(row) for row in rows)


def recent(db: Database, selection: Selection, limit: int) -> tuple[str, ...]:
    """Return version ids, most recently written first."""
    condition, binds = where(db, selection)
    rows = db.execute(RECENT.format(where=condition), {**binds, "limit": max(limit, 0)})
    return tuple(row[0] for row in rows)


def changes(db: Database, since: str, limit: int) -> tuple[Version, ...]:
    """Return versions written or forgotten after a stamp, oldest change first."""
    rows = db.execute(CHANGED, {"since": since, "limit": max(limit, 0)})
    return tuple(version_of(row) for row in rows)


def _whole(db: Database, versions: Sequence[Version], now: str) -> tuple[Memory, ...]:
    binds = {"ids": json.dumps(sorted({version.memory_id for version in versions})), "now": now}
    spans = {row[0]: row[1:] for row in db.execute(_SPANS, binds)}
    out = _grouped(db, LINKS_OUT, binds)
    into = _grouped(db, LINKS_IN, binds)
    over = _grouped(db, _SUPERSEDERS, binds)
    return tuple(
        Memory(
            version=version,
            versions=spans[version.memory_id][0],
            first_created_at=spans[version.memory_id][1],
            links_out=tuple(_link_row(row) for row in out[version.memory_id]),
            links_in=tuple(_link_row(row) for row in into[version.memory_id]),
            superseded_by=tuple((scope, name) for scope, name in over[version.memory_id]),
        )
        for version in versions
    )


def _grouped(db: Database, sql: str, binds: dict[str, str]) -> dict[str, list[tuple[Any, ...]]]:
    groups: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for memory_id, *rest in db.execute(sql, binds):
        groups[memory_id].append(tuple(rest))
    return groups


def _link_row(row: tuple[Any, ...]) -> LinkRow:
    type_, scope, name, origin, memory_id, description, live = row
    return LinkRow(
        type=type_,
        scope=scope,
        name=name,
        origin=origin,
        memory_id=memory_id,
        description=description,
        live=bool(live),
    )


def _index_row(row: tuple[Any, ...]) -> IndexRow:
    scope, name, type_, description, pinned, updated_at, touched_at = row
    return IndexRow(
        scope=scope,
        name=name,
        type=type_,
        description=description,
        pinned=bool(pinned),
        updated_at=updated_at,
        touched_at=touched_at,
    )
