"""The writer thread: shared commits, bounded waiting, and honest answers when the disk says no."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.wait import until

from commonplace.errors import Busy, CommonplaceError, Exists, Internal, Unavailable
from commonplace.store import writer
from commonplace.store.base import Written
from commonplace.store.connection import Database
from commonplace.store.sqlite import SqliteStore, open_store
from store.build import HandClock, change, remember, seen
from store.whole import assert_whole

LOCKER = """
import sys, apsw
db = apsw.Connection(sys.argv[1])
db.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    opened = open_store(
        path, prepare=str.lower, clock=HandClock(), busy_timeout_s=0.2, queue_limit=100
    )
    yield opened
    opened.close()
    assert_whole(path)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(128) as threads:
        yield threads


@contextmanager
def held_up(store: SqliteStore) -> Iterator[None]:
    """Keep the writer thread inside one job, so that what follows has to wait."""
    began, go_on = threading.Event(), threading.Event()

    def wait(db: Database) -> None:
        del db
        began.set()
        go_on.wait(30)

    store._writer._submit(wait)
    assert began.wait(30)
    try:
        yield
    finally:
        go_on.set()


def queue_up(
    store: SqliteStore, pool: ThreadPoolExecutor, changes: list[Any]
) -> list[Future[Written]]:
    futures = [pool.submit(store.write, step) for step in changes]
    until(lambda: store._writer._queue.qsize() == len(changes), "the writes to queue up")
    return futures


def commits(store: SqliteStore) -> list[int]:
    """Return a list that grows with every commit."""
    counted: list[int] = []

    def count() -> bool:
        counted.append(1)
        return False

    store._writer.run(lambda db: db.set_commit_hook(count))
    counted.clear()
    return counted


def test_waiting_writes_share_a_commit(store: SqliteStore, pool: ThreadPoolExecutor) -> None:
    counted = commits(store)
    with held_up(store):
        futures = queue_up(store, pool, [remember(f"m-{number}") for number in range(60)])
        assert not any(future.done() for future in futures)
    assert [future.result(30).version.version for future in futures] == [1] * 60
    assert len(counted) <= 3


def test_a_batch_is_bounded(store: SqliteStore, pool: ThreadPoolExecutor) -> None:
    counted = commits(store)
    with held_up(store):
        futures = queue_up(store, pool, [remember(f"m-{number}") for number in range(100)])
    assert all(future.result(30) for future in futures)
    assert len(counted) >= 1 + -(-100 // writer.BATCH)


def test_a_refused_write_leaves_the_others_of_its_batch_alone(
    store: SqliteStore, pool: ThreadPoolExecutor
) -> None:
    store.write(remember("taken"))
    steps = [remember("a"), remember("taken"), remember("b", body="x" * 10), remember("a")]
    with held_up(store):
        futures = queue_up(store, pool, steps)
    errors = [future.exception(30) for future in futures]
    assert isinstance(errors[1], Exists)
    assert sum(isinstance(error, Exists) for error in errors) == 2
    assert sorted(row.name for row in store.index(seen())) == ["a", "b", "taken"]


def test_a_failed_commit_fails_everyone_in_it_and_stores_nothing(
    store: SqliteStore, pool: ThreadPoolExecutor
) -> None:
    with held_up(store):
        store._writer._db.set_commit_hook(lambda: True)  # a true value turns the commit down
        futures = queue_up(store, pool, [remember(f"m-{number}") for number in range(5)])
    assert all(isinstance(future.exception(30), Internal) for future in futures)
    store._writer._db.set_commit_hook(None)
    assert store.index(seen()) == ()
    assert store.write(remember("m-0")).version.version == 1


def test_a_full_disk_is_told_as_not_saved_and_does_no_harm(store: SqliteStore) -> None:
    store.write(remember("a"))
    pages = store._writer.run(lambda db: db.pragma("page_count"))
    store._writer.run(lambda db: db.pragma("max_page_count", pages + 2))
    with pytest.raises(Unavailable, match="disk is full: NOT SAVED"):
        store.write(remember("b", body="x" * 15_000))
    assert [row.name for row in store.index(seen())] == ["a"]
    store._writer.run(lambda db: db.pragma("max_page_count", pages + 1000))
    store.write(remember("b", body="x" * 15_000))


def test_a_store_that_turned_read_only_is_told_as_not_saved(store: SqliteStore) -> None:
    store.write(remember("a"))
    store._writer._db.pragma("query_only", True)
    with pytest.raises(Unavailable, match="NOT SAVED"):
        store.write(remember("b"))
    assert store.get("global", "a").version.version == 1
    store._writer._db.pragma("query_only", False)


def test_too_many_waiting_writes_are_told_when_to_come_back(
    store: SqliteStore, pool: ThreadPoolExecutor
) -> None:
    with held_up(store):
        futures = queue_up(store, pool, [remember(f"m-{number}") for number in range(100)])
        with pytest.raises(Busy, match="NOT SAVED") as caught:
            store.write(remember("late"))
        assert caught.value.retry_after_s > 0
    assert all(future.result(30) for future in futures)


def test_a_fault_in_one_write_reaches_its_caller_and_the_thread_goes_on(store: SqliteStore) -> None:
    def stumble(db: Database) -> None:
        db.execute("DELETE FROM store_meta")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store._writer.run(stumble)
    assert store.health()["store_id"]
    assert store.write(remember("a")).version.version == 1


def test_a_fault_in_the_commit_itself_reaches_everyone_and_the_thread_goes_on(
    store: SqliteStore,
) -> None:
    def stumble() -> bool:
        raise ZeroDivisionError

    store._writer._db.set_commit_hook(stumble)
    with pytest.raises(Internal):
        store.write(remember("a"))
    store._writer._db.set_commit_hook(None)
    assert store.write(remember("a")).version.version == 1


def test_reads_go_on_while_another_process_holds_the_write_lock(
    store: SqliteStore, path: Path
) -> None:
    store.write(remember("a", body="walnut"))
    locker = subprocess.Popen(
        [sys.executable, "-c", LOCKER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with locker:
        assert locker.stdout is not None
        assert locker.stdout.readline() == b"locked\n"
        with pytest.raises(Busy, match="another process") as caught:
            store.write(remember("b"))
        assert caught.value.retry_after_s > 0
        assert store.get("global", "a").version.body == "walnut"
        assert len(store.words("walnut", seen(), 5)) == 1
        assert store.health()["writable"] is False
        locker.kill()
    assert store.write(remember("b")).version.version == 1
    assert store.health()["writable"] is True


def test_noted_reads_are_written_without_anybody_waiting(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "IDLE_S", 0.01)
    version = store.write(remember("a")).version
    store.note_reads([version.id])
    until(lambda: not store._reads.waiting(), "the reads to be written")
    assert store.never_read(5) == ()


def test_the_write_ahead_log_is_emptied_when_nobody_waits(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "CHECKPOINT_PAGES", 50)
    before = path.stat().st_size
    for number in range(20):
        store.write(remember(f"m-{number}", body=f"{number} " * 3000))
    until(lambda: path.stat().st_size > before, "a checkpoint")


def test_close_finishes_what_waits(store: SqliteStore, pool: ThreadPoolExecutor) -> None:
    with held_up(store):
        futures = queue_up(store, pool, [remember(f"m-{number}") for number in range(10)])
        closing = pool.submit(store.close)
        until(lambda: store._writer._closed, "the store to close")
    closing.result(30)
    assert all(future.result(30).version.version == 1 for future in futures)
    with pytest.raises(CommonplaceError):
        store.write(change("forget", "m-1"))
