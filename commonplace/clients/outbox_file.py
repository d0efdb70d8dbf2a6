"""A file of whole lines, appended under a lock and on the disk before anybody is told.

Only the last line of an append that a crash cut short can be torn; it is moved aside, never read.
"""

# ruff: noqa: PLC0415 - the session-start hook reads the file and needs no lock for that.
from __future__ import annotations

import os
import time
from contextlib import contextmanager

from commonplace.errors import Busy, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

_LOCK_WAIT_S = 5.0
_POLL_S = 0.01


class LineFile:
    """Lines in one file, its lock beside it (`.lock`) and what was torn (`.torn`)."""

    def __init__(self, path: str) -> None:
        """Name the file; nothing is made until something is appended."""
        self.path = path
        self.torn_path = f"{path}.torn"

    def read(self, limit_bytes: int = -1) -> list[bytes]:
        """Return the whole lines there are; none where there is no file.

        Raises: Unavailable when it cannot be read.
        """
        try:
            with open(self.path, "rb") as file:
                return file.read(limit_bytes).split(b"\n")[:-1]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise _unusable(self.path, error) from None

    @contextmanager
    def locked(self) -> Generator[None]:
        """Be the one writer.

        Raises: Busy when another holds the lock too long, Unavailable when there can be none.
        """
        with lock(f"{self.path}.lock", _LOCK_WAIT_S) as mine:
            if not mine:
                raise Busy(f"another program holds {self.path}.lock; try again", retry_after_s=1.0)
            yield

    def append(self, lines: list[bytes], *, durable: bool = True) -> None:
        """Add whole lines, all or none of them; only for the one writer.

        `durable` waits for the disk. Raises: Unavailable, with nothing added.
        """
        try:
            is_new = not os.path.exists(self.path)
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                end = self._whole_end(descriptor)
                _write_at(descriptor, end, b"".join(line + b"\n" for line in lines))
                if durable:
                    os.fsync(descriptor)
            finally:
                os.close(descriptor)
            if is_new:
                _sync_folder(self.path)
        except OSError as error:
            raise _unusable(self.path, error) from None

    def replace(self, lines: list[bytes]) -> None:
        """Put these lines in the place of all there are; only for the one writer."""
        draft = f"{self.path}.tmp"
        try:
            if not lines:
                os.unlink(self.path)
                return
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(b"".join(line + b"\n" for line in lines))
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, self.path)
            _sync_folder(self.path)
        except OSError as error:
            raise _unusable(self.path, error) from None

    def set_aside(self, raw: bytes) -> None:
        """Keep bytes that are no whole line where a person can look at them."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        with open(os.open(self.torn_path, flags, 0o600), "wb") as file:
            file.write(raw + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _whole_end(self, descriptor: int) -> int:
        """Return where the last whole line ends; a torn one behind it is moved aside first."""
        size = os.fstat(descriptor).st_size
        if size == 0 or os.pread(descriptor, 1, size - 1) == b"\n":
            return size
        end = os.pread(descriptor, size, 0).rfind(b"\n") + 1
        self.set_aside(os.pread(descriptor, size - end, end))
        os.ftruncate(descriptor, end)
        return end


@contextmanager
def lock(path: str, wait_s: float) -> Generator[bool]:
    """Hold a lock file for the block; give False where another holds it for all of `wait_s`.

    Raises: Unavailable when the file cannot be made, or the system has no such locks.
    """
    try:
        import fcntl
    except ImportError:
        raise Unavailable("this system has no file locks, so nothing can be queued here") from None
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise _unusable(path, error) from None
    try:
        over = time.monotonic() + wait_s
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= over:
                    yield False
                    return
                _pause()
            except OSError as error:
                raise _unusable(path, error) from None
            else:
                break
        yield True
    finally:
        os.close(descriptor)


def _pause() -> None:
    import select

    # A lock tells nobody when it is let go, and a blocking wait for it cannot be given a bound.
    select.select([], [], [], _POLL_S)


def _write_at(descriptor: int, end: int, data: bytes) -> None:
    at = end
    try:
        while data:
            count = os.pwrite(descriptor, data, at)
            at, data = at + count, data[count:]
    except OSError:
        # A full disk: what was begun is taken back, so that no half line is left.
        os.ftruncate(descriptor, end)
        raise


def _sync_folder(path: str) -> None:
    descriptor = os.open(os.path.dirname(path), os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _unusable(path: str, error: OSError) -> Unavailable:
    return Unavailable(f"cannot use {path}: {error.strerror}; check its rights and the disk's room")
