"""How a version's columns become a `Version` and back."""

from __future__ import annotations

import json
from typing import Any, cast

from commonplace.domain.memory import Version
from commonplace.store.connection import Database

COLUMNS = (
    "v.id, v.memory_id, v.version, v.scope, v.name, v.type, v.description, v.body, v.pinned,"
    " v.author, v.created_at, v.superseded_by, v.deleted_at, v.deleted_by, v.expires_at,"
    " v.content_sha, v.meta"
)


def fetch(db: Database, sql: str, binds: Any = ()) -> list[tuple[Any, ...]]:
    """Return all rows; what a column holds is known where the statement is."""
    return cast("list[tuple[Any, ...]]", db.execute(sql, binds).fetchall())


def version_of(row: tuple[Any, ...]) -> Version:
    """Return the version in a row of `COLUMNS`."""
    return Version(
        id=row[0],
        memory_id=row[1],
        version=row[2],
        scope=row[3],
        name=row[4],
        type=row[5],
        description=row[6],
        body=row[7],
        pinned=bool(row[8]),
        author=row[9],
        created_at=row[10],
        superseded_by=row[11],
        deleted_at=row[12],
        deleted_by=row[13],
        expires_at=row[14],
        content_sha=row[15],
        meta=json.loads(row[16]),
    )


def values_of(version: Version) -> tuple[Any, ...]:
    """Return what `COLUMNS` hold, in their order."""
    return (
        version.id,
        version.memory_id,
        version.version,
        version.scope,
        version.name,
        version.type,
        version.description,
        version.body,
        int(version.pinned),
        version.author,
        version.created_at,
        version.superseded_by,
        version.deleted_at,
        version.deleted_by,
        version.expires_at,
        version.content_sha,
        json.dumps(version.meta, ensure_ascii=False, sort_keys=True),
    )
