"""The SQLite store: the seam's calls, each one transaction on the writer or on a reader."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from commonplace.domain import life
from commonplace.domain.memory import Change, Version
from commonplace.errors import CommonplaceError, Failed, NotFound
from commonplace.resources import folder
from commonplace.store import (
    alias,
    connection,
    faults,
    frequencies,
    migrate,
    names,
    read,
    stats,
    vectors,
    words,
    write,
)
from commonplace.store.base import (
    AliasPlan,
    Clock,
    Counts,
    Frequencies,
    IndexRow,
    Memory,
    ScopeRow,
    Selection,
    WordHit,
    Written,
)
from commonplace.store.clock import Stamps
from commonplace.store.connection import Database
from commonplace.store.edges import Linked
from commonplace.store.nearby import Nearby
from commonplace.store.readers import Readers
from commonplace.store.reads import Reads
from commonplace.store.sqlite_edges import SqliteEdges
from commonplace.store.sqlite_embeddings import SqliteEmbeddings
from commonplace.store.writer import Writer

T = TypeVar("T")

QUEUE_LIMIT = 512
READERS = 4
BUSY_TIMEOUT_S = 5.0
PROBE_S = 1.0


@dataclass(frozen=True, slots=True)
class _Parts:
    path: Path
    hold: connection.Hold
    db: Database
    stamps: Stamps
    clock: Clock
    prepare: words.Prepare


class SqliteStore(SqliteEdges, SqliteEmbeddings):
    """The `Store` that SQLite keeps; made by `open_store`."""

    def __init__(self, parts: _Parts, busy_timeout_s: float, queue_limit: int) -> None:
        """Start the writer over an opened file."""
        self._path = parts.path
        self._hold = parts.hold
        self._stamps = parts.stamps
        self._clock = parts.clock
        self._prepare = parts.prepare
        self._reads = Reads(parts.clock)
        self._near = Nearby((vectors.DESCRIPTION_WEIGHT, vectors.BODY_WEIGHT))
        parts.db.set_update_hook(self._near.note)
        self._writer = Writer(parts.db, self._reads, queue_limit, self._near.publish)
        self._readers = Readers(parts.path, READERS, busy_timeout_s)
        self._closing = threading.Lock()
        self._closed = False

    def write(self, change: Change) -> Written:
        """Decide and append one change, durable when this returns."""
        try:
            return self._writer.run(lambda db: write.apply(self._desk(db), change))
        except NotFound as error:
            raise self._with_nearest(error) from error

    def get(self, scope: str, name: str, version: int | None = None) -> Memory:
        """Return the newest version, dead or alive, or the numbered one."""
        with self._readers.snapshot() as db:
            return read.get(db, scope, name, version, self._clock())

    def scopes_of(self, name: str) -> tuple[str, ...]:
        """Return the scopes in which a not-forgotten memory bears this name, sorted."""
        with self._readers.snapshot() as db:
            return names.scopes_of(db, name)

    def history(self, scope: str, name: str) -> tuple[Version, ...]:
        """Return every version of every memory that ever bore this name here, oldest first."""
        with self._readers.snapshot() as db:
            return read.history(db, scope, name)

    def index(self, selection: Selection) -> tuple[IndexRow, ...]:
        """Return one row a live memory, in no particular order."""
        with self._readers.snapshot() as db:
            return read.index(db, selection)

    def words(self, match: str, selection: Selection, limit: int) -> tuple[WordHit, ...]:
        """Return the best `limit` live memories for an FTS5 expression over prepared text."""
        with self._readers.snapshot() as db:
            return words.find(db, match, selection, limit)

    def frequencies(self, phrases: Sequence[str]) -> Frequencies:
        """Return how many not-forgotten memories hold each phrase: prepared words side by side."""
        with self._readers.snapshot() as db:
            return frequencies.frequencies(db, phrases)

    def recent(self, selection: Selection, limit: int) -> tuple[str, ...]:
        """Return version ids of the most recently written live memories, newest first."""
        with self._readers.snapshot() as db:
            return read.recent(db, selection, limit)

    def load(self, ids: Sequence[str]) -> tuple[Memory, ...]:
        """Return the memories of these version ids, in the order given."""
        with self._readers.snapshot() as db:
            return read.load(db, ids, self._clock())

    def changes(self, since: str, limit: int) -> tuple[Version, ...]:
        """Return versions written or forgotten after a stamp, oldest change first."""
        with self._readers.snapshot() as db:
            return read.changes(db, since, limit)

    def note_reads(self, ids: Sequence[str]) -> None:
        """Count a read of each version's memory, some time later."""
        self._reads.note(ids)

    def never_read(self, limit: int) -> tuple[IndexRow, ...]:
        """Return live memories no get or recall has returned yet, oldest first."""
        with contextlib.suppress(Failed):  # a count that is late must not fail the question
            self._writer.run(self._reads.settle, PROBE_S)
        with self._readers.snapshot() as db:
            return read.never_read(db, limit, self._clock())

    def scopes(self) -> tuple[ScopeRow, ...]:
        """Return every scope ever written to or made an alias, sorted."""
        with self._readers.snapshot() as db:
            return stats.scopes(db)

    def alias(self, old: str, new: str, *, author: str, dry_run: bool) -> AliasPlan:
        """Move all memories of `old` into `new` and alias it."""
        if dry_run:
            with self._readers.snapshot() as db:
                return alias.plan(db, old, new)
        return self._writer.run(
            lambda db: alias.join(self._desk(db), old, new, author, self._stamps.next)
        )

    def counts(self, now: str) -> Counts:
        """Return totals."""
        with self._readers.snapshot() as db:
            return stats.counts(db, now)

    def health(self) -> dict[str, object]:
        """Return store id, schema version and whether the store can be read and written."""
        told: dict[str, object] = {"path": str(self._path), "readable": True, "writable": True}
        try:
            with self._readers.snapshot() as db:
                told.update(stats.identity(db))
        except CommonplaceError as error:
            told.update(readable=False, read_error=error.message)
        trouble = self._writer.trouble(PROBE_S)
        if trouble is not None:
            told.update(writable=False, write_error=trouble.message)
        return told

    def close(self) -> None:
        """Drain waiting writes, checkpoint and release the file; a second call does nothing."""
        with self._closing:
            if self._closed:
                return
            self._readers.close()
            self._writer.close()
            self._hold.release()
            self._closed = True

    def _reading(self) -> AbstractContextManager[Database]:
        return self._readers.snapshot()

    def _writing(self, job: Callable[[Database], T]) -> T:
        return self._writer.run(job)

    def _now(self) -> str:
        return self._clock()

    def _linked(self, do: Callable[[Database, str], Linked]) -> Linked:
        try:
            return self._writer.run(lambda db: do(db, self._stamps.next()))
        except NotFound as error:
            raise self._with_nearest(error) from error

    def _desk(self, db: Database) -> write.Desk:
        return write.Desk(db, self._stamps.next(), self._prepare)

    def _with_nearest(self, error: NotFound) -> NotFound:
        """Add close names, looked for here so that the writer does not wait for it."""
        details: dict[str, Any] = error.details
        if details.get("forgotten") is not False or details.get("nearest"):
            return error
        scope, name = details["scope"], details["name"]
        with contextlib.suppress(Failed), self._readers.snapshot() as db:
            return life.missing(scope, name, names.nearest(db, scope, name))
        return error


def open_store(
    path: Path | str,
    *,
    prepare: words.Prepare,
    clock: Clock,
    migrations: Path | None = None,
    busy_timeout_s: float = BUSY_TIMEOUT_S,
    queue_limit: int = QUEUE_LIMIT,
) -> SqliteStore:
    """Open the store, made or brought forward as needed, and hold it until `close`.

    `prepare` turns a text into the words it is found by. `clock` gives UTC
    `YYYY-MM-DDTHH:MM:SS.ffffffZ`.
    Raises: StoreHeld, StoreNewer, StoreDamaged, Unavailable.
    """
    file = Path(path).expanduser().resolve()
    connection.check_file(file)
    connection.create_folder(file)
    hold = connection.Hold(file, clock())
    try:
        with faults.opening(file):
            known = migrate.shipped(migrations or folder("migrations"), "sqlite")
            db = migrate.open_current(file, known, clock(), round(busy_timeout_s * 1000))
            stamps = Stamps(clock, read.last_stamp(db))
    except BaseException:
        hold.release()
        raise
    return SqliteStore(_Parts(file, hold, db, stamps, clock, prepare), busy_timeout_s, queue_limit)
