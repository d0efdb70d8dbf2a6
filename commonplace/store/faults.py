"""The one place where an engine's error becomes one of ours."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import apsw

from commonplace.errors import (
    Busy,
    CommonplaceError,
    Internal,
    StoreDamaged,
    StoreHeld,
    TooLarge,
    Unavailable,
)

BUSY_RETRY_S = 1.0

_FULL = "the disk is full: NOT SAVED. Free some space, then send again"
_READ_ONLY = "the store cannot be written: NOT SAVED. Check the file's permissions and its disk"
_IO = "the disk failed: NOT SAVED. Check the disk, then send again"
_CANNOT_OPEN = "the store's file cannot be opened: NOT SAVED. Check that its folder is there"
_MEMORY = "the server is out of memory: NOT SAVED. Send again later"
_CLOSED = "the store is closed: NOT SAVED. Send again when the server is back"

_UNAVAILABLE: dict[type[apsw.Error], str] = {
    apsw.FullError: _FULL,
    apsw.ReadOnlyError: _READ_ONLY,
    apsw.PermissionsError: _READ_ONLY,
    apsw.IOError: _IO,
    apsw.CantOpenError: _CANNOT_OPEN,
    apsw.NoMemError: _MEMORY,
    apsw.ConnectionClosedError: _CLOSED,
    apsw.CursorClosedError: _CLOSED,
    apsw.InterruptError: _CLOSED,
}


def translate(error: Exception) -> CommonplaceError:
    """Return our error for an engine's; what no caller can mend is `Internal`."""
    if isinstance(error, (apsw.BusyError, apsw.LockedError)):
        return Busy(
            "another process holds the store's write lock: NOT SAVED. Send again",
            retry_after_s=BUSY_RETRY_S,
        )
    if isinstance(error, apsw.TooBigError):
        return TooLarge("the text is larger than the store can hold; nothing was stored")
    if isinstance(error, (apsw.CorruptError, apsw.NotADBError, apsw.FormatError)):
        return StoreDamaged(
            "the store's file is damaged; stop the server and restore a backup beside it"
        )
    for kind, message in _UNAVAILABLE.items():
        if isinstance(error, kind):
            return Unavailable(message)
    return Internal(f"the store failed ({type(error).__name__}); nothing was stored")


@contextmanager
def translated() -> Generator[None]:
    """Let no engine error out of the block."""
    try:
        yield
    except apsw.Error as error:
        raise translate(error) from error


@contextmanager
def opening(path: Path) -> Generator[None]:
    """Like `translated`, for a store that is being opened: the message names the file."""
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as error:
        raise StoreHeld(
            f"{path} is held by another process; stop it, or use another --db", path=str(path)
        ) from error
    except (apsw.CorruptError, apsw.NotADBError, apsw.FormatError) as error:
        raise StoreDamaged(
            f"{path} is damaged or cut short; move it away and restore a backup in its place",
            path=str(path),
        ) from error
    except apsw.Error as error:
        raise Unavailable(
            f"cannot open {path} ({type(error).__name__}); check the file, its folder and the"
            " disk's free space",
            path=str(path),
        ) from error
