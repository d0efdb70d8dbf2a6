"""Totals over the store, and what it says about itself."""

# ruff: noqa: S608 - statements are put together from constants only; every value is bound

from __future__ import annotations

from typing import Any

from commonplace.store.base import Counts, ScopeRow
from commonplace.store.connection import Database
from commonplace.store.rows import fetch
from commonplace.store.selection import NEWEST, NOT_EXPIRED, SUPERSEDED

_TOTALS = f"""
SELECT
    count(*) FILTER (WHERE {NEWEST}),
    count(*),
    count(*) FILTER (WHERE v.superseded_by IS NULL AND v.deleted_at IS NOT NULL),
    count(*) FILTER (WHERE {NEWEST} AND {SUPERSEDED}),
    count(*) FILTER (WHERE {NEWEST} AND NOT {NOT_EXPIRED})
FROM memory_versions AS v
"""
_BY_TYPE = f"SELECT v.type, count(*) FROM memory_versions AS v WHERE {NEWEST} GROUP BY 1 ORDER BY 1"
_BY_SCOPE = (
    f"SELECT v.scope, count(*) FROM memory_versions AS v WHERE {NEWEST} GROUP BY 1 ORDER BY 1"
)
_LINKS = "SELECT count(*) FROM links"
_SCOPES = """
SELECT s.scope, s.created_at, s.alias_of,
    count(v.id) FILTER (WHERE v.superseded_by IS NULL AND v.deleted_at IS NULL),
    count(v.id) FILTER (WHERE v.superseded_by IS NULL AND v.deleted_at IS NOT NULL),
    max(v.created_at)
FROM scopes AS s LEFT JOIN memory_versions AS v ON v.scope = s.scope
GROUP BY s.scope ORDER BY s.scope
"""
_STORE_ID = "SELECT value FROM store_meta WHERE key = 'store_id'"
_SCHEMA = "SELECT max(name) FROM schema_migrations"


def counts(db: Database, now: str) -> Counts:
    """Return totals; the file's size leaves the write-ahead log out."""
    row: Any = db.execute(_TOTALS, {"now": now}).fetchone()
    memories, versions, forgotten, superseded, expired = row
    return Counts(
        memories=memories,
        versions=versions,
        forgotten=forgotten,
        superseded=superseded,
        expired=expired,
        links=db.execute(_LINKS).get,
        size_bytes=db.pragma("page_count") * db.pragma("page_size"),
        by_type=dict(fetch(db, _BY_TYPE)),
        by_scope=dict(fetch(db, _BY_SCOPE)),
    )


def scopes(db: Database) -> tuple[ScopeRow, ...]:
    """Return every scope, sorted."""
    return tuple(
        ScopeRow(
            scope=scope,
            created_at=created_at,
            alias_of=alias_of,
            live=live,
            forgotten=forgotten,
            last_written_at=last,
        )
        for scope, created_at, alias_of, live, forgotten, last in db.execute(_SCOPES)
    )


def identity(db: Database) -> dict[str, object]:
    """Return store id and the last migration applied."""
    return {"store_id": db.execute(_STORE_ID).get, "schema": db.execute(_SCHEMA).get}
