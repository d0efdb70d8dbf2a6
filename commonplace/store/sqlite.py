"""The SQLite store: the seam's calls, each one transaction on the writer or on a reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from commonplace.domain import life
from commonplace.domain.memory import Change, Version
from commonplace.errors import NotFound
from commonplace.resources import folder
from commonplace.store import (
    alias,
    connection,
    faults,
    links,
    migrate,
    names,
    read,
    selection,
    stats,
    words,
    write,
)
from commonplace.store.base import (
    AliasPlan,
    Clock,
    Counts,
    IndexRow,
    Memory,
    ScopeRow,
    Selection,
    WordHit,
    Written,
)
from commonplace.store.clock import Stamps
from commonplace.store.readers import Readers
from commonplace.store.reads import Reads
from commonplace.store.writer import Writer

Prepare = Callable[[str], str]

QUEUE_LIMIT = 512
READERS = 4
BUSY_TIMEOUT_S = 5.0


def open_store(
    path: Path | str,
    *,
    prepare: Prepare,
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
            db = connection.open_checked(file, known, clock(), round(busy_timeout_s * 1000))
            stamps = Stamps(clock, read.last_stamp(db))
    except BaseException:
        hold.release()
        raise
    reads = Reads(clock)
    return SqliteStore(
        path=file,
        hold=hold,
        writer=Writer(db, reads, queue_limit),
        readers=Readers(file, READERS, busy_timeout_s),
        reads=reads,
        stamps=stamps,
        clock=clock,
        prepare=prepare,
    )
