"""Bringing a store forward: each migration and its record in one transaction, never backward."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from commonplace.domain.ids import uuid7
from commonplace.errors import StoreDamaged, StoreNewer
from commonplace.store import connection
from commonplace.store.clock import unix_ms
from commonplace.store.connection import Database
from commonplace.store.rows import fetch

_NAME = re.compile(r"\d{4}_[a-z0-9_]+\.sql")
_MARK = re.compile(r"^-- (engine|data): (\S+)", re.MULTILINE)

_HAS_RECORDS = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'"
_HAS_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 1"
_RECORDS = "SELECT name, sha256 FROM schema_migrations"
_RECORD = "INSERT INTO schema_migrations (name, sha256, applied_at) VALUES (?, ?, ?)"
_HAS_ROWS = "SELECT 1 FROM memory_versions LIMIT 1"
_COUNT = "SELECT count(*) FROM memory_versions"
_NAME_STORE = "INSERT INTO store_meta (key, value) VALUES ('store_id', ?) ON CONFLICT DO NOTHING"


@dataclass(frozen=True, slots=True)
class Migration:
    """One file; it may change rows that are there unless it is marked `data: none`."""

    name: str
    sql: str
    sha256: str
    changes_data: bool


def shipped(folder: Path, engine: str) -> tuple[Migration, ...]:
    """Return the folder's migrations for an engine, in their order."""
    files = sorted(file for file in folder.iterdir() if _NAME.fullmatch(file.name))
    found: list[Migration] = []
    for file in files:
        sql = file.read_text(encoding="utf-8").replace("\r\n", "\n")
        marks = dict(_MARK.findall(sql))
        if marks.get("engine", "any") in {"any", engine}:
            sha = hashlib.sha256(sql.encode()).hexdigest()
            found.append(Migration(file.name, sql, sha, marks.get("data") != "none"))
    return tuple(found)


def open_current(
    path: Path, known: tuple[Migration, ...], now: str, busy_timeout_ms: int
) -> Database:
    """Open the store for writing, after every reason to refuse it, and bring it forward.

    Raises: StoreNewer, StoreDamaged, apsw.Error.
    """
    if path.exists() and path.stat().st_size:
        peek = connection.open_peek(path)
        try:
            pending(peek, path, known)
        finally:
            peek.close()
    else:
        connection.create_file(path)
    db = connection.open_writer(path, busy_timeout_ms)
    try:
        apply(db, path, pending(db, path, known), now)
    except BaseException:
        db.close()
        raise
    return db


def pending(db: Database, path: Path, known: tuple[Migration, ...]) -> tuple[Migration, ...]:
    """Return what is still to apply; reads only.

    Raises: StoreNewer, StoreDamaged when the file is another program's or a record does not fit.
    """
    if db.execute(_HAS_RECORDS).get is None:
        if db.execute(_HAS_TABLES).get is not None:
            raise StoreDamaged(
                f"{path} is a database of another program; name another file with --db",
                path=str(path),
            )
        return known
    recorded: dict[str, str] = dict(fetch(db, _RECORDS))
    shas = {migration.name: migration.sha256 for migration in known}
    unknown = sorted(recorded.keys() - shas.keys())
    if unknown:
        raise StoreNewer(
            f"{path} was written by a newer commonplace (it has {', '.join(unknown)}); nothing was"
            " changed. Upgrade this server",
            path=str(path),
            unknown=unknown,
        )
    edited = sorted(name for name, sha in recorded.items() if shas[name] != sha)
    if edited:
        raise StoreDamaged(
            f"{path} was made with another text of {', '.join(edited)} than this commonplace ships;"
            " run the commonplace that made it",
            path=str(path),
            edited=edited,
        )
    return tuple(migration for migration in known if migration.name not in recorded)


def apply(db: Database, path: Path, todo: tuple[Migration, ...], now: str) -> None:
    """Apply what is pending, after a verified copy if rows that are there may change.

    Raises: StoreDamaged when the copy does not read back; apsw.Error when a migration fails, which
    leaves the store at the migration before.
    """
    copied = False
    for migration in todo:
        if migration.changes_data and not copied and _has_rows(db):
            _copy(db, path.with_name(f"{path.name}.before-{migration.name[:4]}"))
            copied = True
        with_record(db, migration, now)
    db.execute(_NAME_STORE, (uuid7(unix_ms(now), os.urandom(10)),))


def with_record(db: Database, migration: Migration, now: str) -> None:
    """Run one migration and its record as one transaction."""
    db.execute("BEGIN IMMEDIATE")
    try:
        db.execute(migration.sql)
        db.execute(_RECORD, (migration.name, migration.sha256, now))
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _has_rows(db: Database) -> bool:
    return db.execute(_HAS_RECORDS).get is not None and db.execute(_HAS_ROWS).get is not None


def _copy(db: Database, copy: Path) -> None:
    copy.unlink(missing_ok=True)
    os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    db.execute("VACUUM INTO ?", (str(copy),))
    check = connection.open_copy(copy)
    try:
        whole = check.pragma("integrity_check") == "ok"
        same = check.execute(_COUNT).get == db.execute(_COUNT).get
    finally:
        check.close()
    if not (whole and same):
        raise StoreDamaged(
            f"the copy {copy} made before a migration does not read back; nothing was migrated."
            " Check the disk",
            path=str(copy),
        )
    with copy.open("rb") as file:
        os.fsync(file.fileno())
