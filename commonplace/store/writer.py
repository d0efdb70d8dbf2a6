"""The one thread that writes: waiting changes share a transaction, answered after its commit."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, cast

import apsw

from commonplace.errors import Busy, CommonplaceError, Unavailable
from commonplace.store import faults
from commonplace.store.connection import Database

T = TypeVar("T")
Job = Callable[[Database], T]

BATCH = 64
IDLE_S = 2.0
CHECKPOINT_PAGES = 1000
CHECKPOINT_NOW_PAGES = 16_000


class Aside(Protocol):
    """Work that nobody awaits."""

    def waiting(self) -> bool:
        """Say whether there is any."""
        ...

    def settle(self, db: Database) -> None:
        """Do it inside the open transaction."""
        ...


@dataclass(slots=True)
class _Waiting:
    job: Job[Any]
    answer: Future[Any] = field(default_factory=Future[Any])
    result: Any = None
    error: BaseException | None = None


class Writer:
    """A bounded queue in front of one connection."""

    def __init__(
        self, db: Database, aside: Aside, limit: int, committed: Callable[[], None]
    ) -> None:
        """Start the thread; `aside` joins the next batch, or an own one when idle.

        `committed` is called after each commit, before those who wait are answered.
        """
        self._db = db
        self._aside = aside
        self._committed = committed
        self._queue: queue.Queue[_Waiting | None] = queue.Queue(limit)
        self._closed = False
        self._gate = threading.Lock()
        self._wal_pages = 0
        self.last_error: CommonplaceError | None = None
        db.set_wal_hook(self._note_wal)
        self._thread = threading.Thread(target=self._run, name="commonplace-writer", daemon=True)
        self._thread.start()

    def _submit(self, job: Job[T]) -> Future[T]:
        """Queue a job; its future is answered once what it wrote is durable.

        Raises: Busy when too many wait, Unavailable when closed.
        """
        waiting = _Waiting(job)
        with self._gate:
            if self._closed:
                raise Unavailable("the store is closed: NOT SAVED. Send again when it is back")
            try:
                self._queue.put_nowait(waiting)
            except queue.Full:
                raise Busy(
                    "too many writes are waiting: NOT SAVED. Send again",
                    retry_after_s=faults.BUSY_RETRY_S,
                ) from None
        return cast("Future[T]", waiting.answer)

    def run(self, job: Job[T], timeout_s: float | None = None) -> T:
        """Queue a job and wait for it.

        Raises: Busy when it has not come in time (the job itself still runs); what the job raises.
        """
        try:
            return self._submit(job).result(timeout_s)
        except TimeoutError:
            raise Busy(
                "the store is still writing; ask again", retry_after_s=faults.BUSY_RETRY_S
            ) from None

    def trouble(self, timeout_s: float) -> CommonplaceError | None:
        """Return what keeps writes from succeeding, if anything; a long queue alone does not."""
        try:
            self._submit(lambda _: None).result(timeout_s)
        except TimeoutError:
            return self.last_error
        except CommonplaceError as error:
            return error
        return None

    def close(self) -> None:
        """Finish what waits, empty the write-ahead log into the file and close the connection."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            batch, going = self._take()
            if self._aside.waiting():
                batch.append(_Waiting(self._aside.settle))
            if batch:
                self._commit(batch)
            self._checkpoint(idle=self._queue.empty())
        self._shut()

    def _take(self) -> tuple[list[_Waiting], bool]:
        batch: list[_Waiting] = []
        try:
            item = self._queue.get(timeout=IDLE_S)
            while item is not None:
                batch.append(item)
                if len(batch) == BATCH:
                    return batch, True
                item = self._queue.get_nowait()
        except queue.Empty:
            return batch, True
        return batch, False

    def _commit(self, batch: list[_Waiting]) -> None:
        try:
            self._transact(batch)
        except Exception as error:  # noqa: BLE001 - whatever it is, those who wait must be told
            self.last_error = faults.translate(error)
            for waiting in batch:
                waiting.error = faults.translate(error)
                waiting.error.__cause__ = error
        else:
            self.last_error = None
        for waiting in batch:
            if waiting.error is None:
                waiting.answer.set_result(waiting.result)
            else:
                waiting.answer.set_exception(waiting.error)

    def _transact(self, batch: list[_Waiting]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for waiting in batch:
                self._one(waiting)
            self._db.execute("COMMIT")
            self._committed()
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def _one(self, waiting: _Waiting) -> None:
        self._db.execute("SAVEPOINT job")
        try:
            waiting.result = waiting.job(self._db)
        except apsw.Error as error:
            if not self._db.in_transaction:  # the engine gave the whole batch up
                raise
            waiting.error = faults.translate(error)
            waiting.error.__cause__ = error
        except Exception as error:  # noqa: BLE001 - the caller gets it; the thread must go on
            waiting.error = error
        if waiting.error is not None:
            self._db.execute("ROLLBACK TO job")
        self._db.execute("RELEASE job")

    def _note_wal(self, db: Database, name: str, pages: int) -> int:
        del db, name
        self._wal_pages = pages
        return apsw.SQLITE_OK

    def _checkpoint(self, *, idle: bool) -> None:
        if self._wal_pages < (CHECKPOINT_PAGES if idle else CHECKPOINT_NOW_PAGES):
            return
        try:
            self._db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except apsw.Error as error:
            self.last_error = faults.translate(error)
        self._wal_pages = 0

    def _shut(self) -> None:
        try:
            self._db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.Error as error:
            self.last_error = faults.translate(error)
        self._db.close()
