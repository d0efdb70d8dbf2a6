"""Edges between memories: kept by memory id, bound to a target while it lives, else deferred."""

from __future__ import annotations

from collections.abc import Iterable

from commonplace.domain.memory import Link, Version
from commonplace.errors import Cycle, SelfLink
from commonplace.store import names
from commonplace.store.connection import Database

_DROP = "DELETE FROM links WHERE from_memory_id = ? AND origin = ?"
_PUT = (
    "INSERT INTO links (from_memory_id, type, to_memory_id, to_scope, to_name, origin)"
    " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
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


def replace(
    db: Database, version: Version, links: Iterable[Link], origin: str = "authored"
) -> None:
    """Make these the memory's links of that origin.

    Raises: SelfLink.
    """
    db.execute(_DROP, (version.memory_id, origin))
    for link in links:
        scope = names.resolve(db, link.scope or version.scope)
        target = names.leads_to(db, scope, link.name)
        bound = target is not None and target.deleted_at is None
        if (scope, link.name) == (version.scope, version.name) or (
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
            place = (target.memory_id, target.scope, target.name)
        else:
            place = (None, scope, link.name)
        db.execute(_PUT, (version.memory_id, link.type, *place, origin))


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
