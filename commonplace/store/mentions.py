"""Edges made from `[[name]]` in bodies: the memory's own scope goes before global, at any time."""

# ruff: noqa: S608 - statements are put together from constants only; every value is bound

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable

from commonplace.domain.memory import MENTIONS, Link, Version
from commonplace.domain.mentions import mentions
from commonplace.domain.scope import GLOBAL
from commonplace.store import names
from commonplace.store.connection import Database
from commonplace.store.rows import fetch

_DROP = "DELETE FROM links WHERE from_memory_id = ? AND origin = 'body'"
_PUT = (
    "INSERT INTO links (from_memory_id, type, to_memory_id, to_scope, to_name, origin, loose)"
    f" VALUES (?, '{MENTIONS}', ?, ?, ?, 'body', ?) ON CONFLICT DO NOTHING"
)
LIVING = """
SELECT h.name, v.memory_id, v.scope, v.name FROM json_each(:names) AS wanted
JOIN heads AS h ON h.scope = :scope AND h.name = wanted.value
JOIN memory_versions AS v ON v.memory_id = h.memory_id AND v.superseded_by IS NULL
    AND v.deleted_at IS NULL
"""
# A name that appears in global takes what waits for it anywhere; one that appears in a scope takes
# what its own scope's bodies had to look for in global.
TO_GLOBAL = (
    "UPDATE OR REPLACE links SET to_memory_id = :memory_id, to_scope = :scope"
    " WHERE loose = 1 AND to_name = :name AND to_memory_id IS NULL"
    " AND from_memory_id <> :memory_id"
)
TO_OWN = (
    "UPDATE OR REPLACE links SET to_memory_id = :memory_id, to_scope = :scope"
    f" WHERE loose = 1 AND to_name = :name AND to_scope = '{GLOBAL}'"
    " AND from_memory_id <> :memory_id"
    " AND EXISTS (SELECT 1 FROM memory_versions AS v WHERE v.memory_id = from_memory_id"
    " AND v.superseded_by IS NULL AND v.scope = :scope)"
)
_WAITING = "SELECT 1 FROM links WHERE loose = 1 AND to_name = ? AND to_memory_id IS NULL LIMIT 1"


def replace(db: Database, version: Version) -> None:
    """Make the memory's mentions those of its body; a mention of itself is none."""
    db.execute(_DROP, (version.memory_id,))
    found = mentions(version.body)
    if not found:
        return
    loose = [link.name for link in found if link.scope is None]
    own, common = _living(db, version.scope, loose), _living(db, GLOBAL, loose)
    there = _explicit(db, found)
    rows: list[tuple[str, str | None, str, str, int]] = []
    for link in found:
        scope = names.resolve(db, link.scope) if link.scope else version.scope
        if link.scope is None:
            end = own.get(link.name) or common.get(link.name)
        else:
            end = there.get((scope, link.name))
        memory_id, to_scope, to_name = end or (None, scope, link.name)
        if memory_id != version.memory_id and (to_scope, to_name) != (version.scope, version.name):
            rows.append((version.memory_id, memory_id, to_scope, to_name, int(link.scope is None)))
    db.executemany(_PUT, rows)


def bind(db: Database, version: Version) -> None:
    """Bind the mentions without a scope that now mean this memory."""
    binds = {"memory_id": version.memory_id, "scope": version.scope, "name": version.name}
    db.execute(TO_GLOBAL if version.scope == GLOBAL else TO_OWN, binds)


def fall_back(db: Database, version: Version) -> None:
    """Let mentions of a memory that was forgotten mean global's of that name, if one lives."""
    if version.scope == GLOBAL or db.execute(_WAITING, (version.name,)).get is None:
        return
    for memory_id, scope, name in _living(db, GLOBAL, [version.name]).values():
        if name == version.name:
            db.execute(TO_GLOBAL, {"memory_id": memory_id, "scope": scope, "name": name})


_End = tuple[str | None, str, str]


def _living(db: Database, scope: str, wanted: Iterable[str]) -> dict[str, _End]:
    rows = fetch(db, LIVING, {"scope": scope, "names": json.dumps(list(wanted))})
    return {name: (memory_id, to_scope, to_name) for name, memory_id, to_scope, to_name in rows}


def _explicit(db: Database, found: Iterable[Link]) -> dict[tuple[str, str], _End]:
    by_scope: dict[str, list[str]] = defaultdict(list)
    for link in found:
        if link.scope is not None:
            by_scope[names.resolve(db, link.scope)].append(link.name)
    return {
        (scope, name): end
        for scope, wanted in by_scope.items()
        for name, end in _living(db, scope, wanted).items()
    }
