"""A few read-only connections, each lent for one short snapshot."""

from __future__ import annotations

import queue
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from commonplace.errors import Busy, Unavailable
from commonplace.store import faults
from commonplace.store.connection import Database, open_reader


class Readers:
    """The pool; connections are opened when first needed."""

    def __init__(self, path: Path, size: int, timeout_s: float) -> None:
        """Lend at most `size` connections at a time, waiting up to `timeout_s` for one."""
        self._path = path
        self._size = size
        self._timeout_s = timeout_s
        self._closed = False
        self._free: queue.LifoQueue[Database | None] = queue.LifoQueue()
        for _ in range(size):
            self._free.put(None)

    @contextmanager
    def snapshot(self) -> Generator[Database]:
        """Lend a connection that sees one state of the store throughout the block.

        Raises: Busy, Unavailable.
        """
        db = self._take()
        try:
            with faults.translated():
                if db is None:
                    db = open_reader(self._path, round(self._timeout_s * 1000))
                db.execute("BEGIN")
                try:
                    yield db
                finally:
                    if db.in_transaction:
                        db.execute("ROLLBACK")
        finally:
            self._free.put(db)

    def close(self) -> None:
        """Wait for what is lent and close everything."""
        self._closed = True
        for _ in range(self._size):
            db = self._free.get()
            if db is not None:
                db.close()

    def _take(self) -> Database | None:
        if not self._closed:
            try:
                return self._free.get(timeout=self._timeout_s)
            except queue.Empty:
                pass
        if self._closed:
            raise Unavailable("the store is closed; ask again when the server is back")
        raise Busy(
            "all readers of the store are in use; ask again", retry_after_s=faults.BUSY_RETRY_S
        )
