"""The store's file: who holds it, what is refused before a byte is written, how it is opened."""

from __future__ import annotations

import fcntl
import json
import os
import platform
import stat
from pathlib import Path
from typing import cast

import apsw
import sqlite_vec  # pyright: ignore[reportMissingTypeStubs]

from commonplace.errors import StoreDamaged, StoreHeld, Unavailable

Database = apsw.Connection

WAL_KEEP_BYTES = 64 * 1024 * 1024

_MAGIC = b"SQLite format 3\x00"
_MODE = 0o600


class Hold:
    """An operating-system lock on `<db>.lock`; it ends with the process, however that ends."""

    def __init__(self, db: Path, started_at: str) -> None:
        """Take the lock and write into it who holds it.

        Raises: StoreHeld naming the holder, Unavailable.
        """
        path = db.with_name(db.name + ".lock")
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _MODE)
        except OSError as error:
            raise _cannot_open(path, error) from error
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(self._fd)
            os.close(self._fd)
            raise StoreHeld(
                f"{db} is held by process {holder.get('pid', '?')} on {holder.get('host', '?')},"
                f" since {holder.get('started_at', '?')}; stop that server, or use another --db",
                path=str(db),
                **holder,
            ) from None
        about = {"pid": os.getpid(), "host": platform.node(), "started_at": started_at}
        os.ftruncate(self._fd, 0)
        os.pwrite(self._fd, json.dumps(about).encode(), 0)

    def release(self) -> None:
        """Give the lock up. The file stays: removing it would let two processes hold two files."""
        os.close(self._fd)


def check_file(path: Path) -> None:
    """Refuse what is no store file; a file that is not there or empty will become one.

    Raises: StoreDamaged, Unavailable.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise _cannot_open(path, error) from error
    if not stat.S_ISREG(found.st_mode):
        raise StoreDamaged(
            f"{path} is {_kind(found.st_mode)}, not a store file; name a file with --db",
            path=str(path),
        )
    if found.st_size == 0:
        return
    try:
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
    except OSError as error:
        raise _cannot_open(path, error) from error
    if head != _MAGIC:
        raise StoreDamaged(
            f"{path} is not a commonplace store: it is no SQLite database. Move it away, or name"
            " another file with --db",
            path=str(path),
        )


def create_folder(path: Path) -> None:
    """Make the file's folder, closed to others, where it is missing.

    Raises: Unavailable.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_open(path.parent, error) from error


def create_file(path: Path) -> None:
    """Make the empty file ourselves: SQLite gives -wal and -shm the mode of the database.

    Raises: Unavailable.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _MODE))
        folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
        os.fsync(folder)
        os.close(folder)
    except OSError as error:
        raise _cannot_open(path, error) from error


def open_peek(path: Path) -> Database:
    """Open for a look that leaves every file as it is.

    Without a -wal the file is complete by itself, and `immutable` keeps SQLite from making one.
    """
    wal = path.with_name(path.name + "-wal")
    settled = not wal.exists() or wal.stat().st_size == 0
    uri = f"{path.as_uri()}?mode=ro{'&immutable=1' if settled else ''}"
    return Database(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)


def open_writer(path: Path, busy_timeout_ms: int) -> Database:
    """Open the one connection that writes; checkpoints are left to the writer thread."""
    db = Database(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    db.set_busy_timeout(busy_timeout_ms)
    db.pragma("journal_mode", "wal")
    db.pragma("synchronous", "full")
    db.pragma("foreign_keys", True)  # noqa: FBT003
    db.pragma("trusted_schema", False)  # noqa: FBT003
    _load_vectors(db)
    db.pragma("wal_autocheckpoint", 0)
    db.pragma("journal_size_limit", WAL_KEEP_BYTES)
    return db


def open_copy(path: Path) -> Database:
    """Open a copy of the store to see whether it reads back."""
    return Database(str(path), flags=apsw.SQLITE_OPEN_READONLY)


def open_reader(path: Path, busy_timeout_ms: int) -> Database:
    """Open a connection that can only read."""
    db = Database(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    db.set_busy_timeout(busy_timeout_ms)
    db.pragma("query_only", True)  # noqa: FBT003
    db.pragma("trusted_schema", False)  # noqa: FBT003
    _load_vectors(db)
    return db


def _load_vectors(db: Database) -> None:
    """Give the connection sqlite-vec's functions, and close the door to other extensions again."""
    db.enable_load_extension(True)  # noqa: FBT003
    path: str = sqlite_vec.loadable_path()  # pyright: ignore[reportUnknownMemberType]
    db.load_extension(path)
    db.enable_load_extension(False)  # noqa: FBT003


def _holder(fd: int) -> dict[str, object]:
    try:
        about: object = json.loads(os.pread(fd, 4096, 0))
    except ValueError:
        return {}
    return cast("dict[str, object]", about) if isinstance(about, dict) else {}


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a pipe" if stat.S_ISFIFO(mode) else "a device or socket"


def _cannot_open(path: Path, error: OSError) -> Unavailable:
    return Unavailable(
        f"cannot open {path}: {error.strerror}; check the path and its permissions", path=str(path)
    )
