"""What SQLite's store does with its file: who may read it, who holds it, what it refuses."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from commonplace.errors import (
    CommonplaceError,
    Internal,
    StoreDamaged,
    StoreHeld,
    StoreNewer,
    Unavailable,
)
from commonplace.store import faults
from commonplace.store.sqlite import SqliteStore, open_store
from store.build import HandClock, change, remember, seen

HOLDER = """
import sys
from commonplace.store.sqlite import open_store
store = open_store(sys.argv[1], prepare=str.lower, clock=lambda: "2026-03-01T12:00:00.000000Z")
print("held", flush=True)
sys.stdin.read()
"""


def opened(path: Path) -> SqliteStore:
    return open_store(path, prepare=str.lower, clock=HandClock())


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if not path.name.endswith((".lock", "-shm"))
    }


def test_every_file_is_the_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = opened(tmp_path / "deep" / "store.db")
        store.write(remember("a"))
        modes = {
            path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "deep").iterdir()
        }
        store.close()
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(
        ("store.db", "store.db-wal", "store.db-shm", "store.db.lock"), 0o600
    )
    assert stat.S_IMODE((tmp_path / "deep").stat().st_mode) == 0o700


def test_a_second_server_is_refused_with_the_holder_named(tmp_path: Path) -> None:
    store = opened(tmp_path / "store.db")
    (tmp_path / "same.db").symlink_to(tmp_path / "store.db")
    for path in (tmp_path / "store.db", tmp_path / "same.db"):
        with pytest.raises(StoreHeld, match=f"process {os.getpid()} on ") as caught:
            opened(path)
        assert caught.value.details["pid"] == os.getpid()
    store.write(remember("a"))
    store.close()
    opened(tmp_path / "store.db").close()


def test_the_lock_of_a_killed_server_holds_nobody_up(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"held\n"
        with pytest.raises(StoreHeld, match=f"process {child.pid} "):
            opened(path)
        child.send_signal(signal.SIGKILL)
        child.wait(30)
    opened(path).close()
    assert json.loads((tmp_path / "store.db.lock").read_text())["pid"] == os.getpid()


@pytest.mark.parametrize("settled", [True, False], ids=["closed", "with a write-ahead log"])
def test_a_newer_store_is_refused_and_not_a_byte_changes(tmp_path: Path, settled: bool) -> None:
    path = tmp_path / "store.db"
    opened(path).close()
    db = apsw.Connection(str(path))
    record = "INSERT INTO schema_migrations VALUES ('9999_later.sql', 'x', 'x')"
    if settled:
        db.execute(record)
    db.close()
    if not settled:  # only a process that dies leaves its log behind
        dying = f"import apsw, os; db = apsw.Connection({str(path)!r}); db.execute({record!r})"
        subprocess.run([sys.executable, "-c", f"{dying}; os._exit(0)"], check=True)
    before = files(tmp_path)
    assert ("store.db-wal" in before) is not settled
    with pytest.raises(StoreNewer, match="9999_later"):
        opened(path)
    assert files(tmp_path) == before


def test_a_migration_with_another_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    opened(path).close()
    db = apsw.Connection(str(path))
    db.execute("UPDATE schema_migrations SET sha256 = 'x' WHERE name LIKE '0001%'")
    db.close()
    with pytest.raises(StoreDamaged, match="0001_base"):
        opened(path)


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "store.db").touch()
    store = opened(tmp_path / "store.db")
    assert store.write(remember("a")).version.version == 1
    store.close()


def test_what_is_no_store_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "text").write_text("dear diary " * 500)
    other = apsw.Connection(str(tmp_path / "other.db"))
    other.execute("CREATE TABLE t (x)")
    other.close()
    for name, words in (
        ("folder", "a folder"),
        ("pipe", "a pipe"),
        ("text", "no SQLite database"),
        ("other.db", "another program"),
    ):
        with pytest.raises(StoreDamaged, match=words):
            opened(tmp_path / name)
    assert (tmp_path / "text").read_text() == "dear diary " * 500


@pytest.mark.parametrize("kept", [40, 100, 4096, 20_000])
def test_a_cut_off_store_is_refused(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "store.db"
    store = opened(path)
    for number in range(50):
        store.write(remember(f"m-{number}", body="x" * 2000))
    store.close()
    os.truncate(path, kept)
    with pytest.raises(StoreDamaged, match="damaged or cut short"):
        opened(path)


def test_a_folder_that_cannot_be_made_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="cannot open"):
        opened(tmp_path / "file" / "store.db")


def test_a_refused_store_is_held_by_nobody(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(b"SQLite format 3\x00" + b"\x00" * 100)
    for _ in range(2):
        with pytest.raises(StoreDamaged):
            opened(path)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts descriptors in /proc")
def test_closing_leaves_one_complete_file_and_no_open_descriptor(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    before = len(list(Path("/proc/self/fd").iterdir()))
    store = opened(path)
    store.write(remember("a"))
    store.index(seen())
    store.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert sorted(files(tmp_path)) == ["store.db"]
    with pytest.raises(Unavailable, match="NOT SAVED"):
        store.write(change("update", "a", body="x"))
    with pytest.raises(Unavailable):
        store.index(seen())


def test_the_store_is_durable_and_checks_its_references(tmp_path: Path) -> None:
    store = opened(tmp_path / "store.db")
    told = store._writer.run(
        lambda db: [db.pragma(name) for name in ("journal_mode", "synchronous", "foreign_keys")]
    )
    store.close()
    assert told == ["wal", 2, 1]


def test_every_engine_error_has_a_translation() -> None:
    def below(kind: type[apsw.Error]) -> list[type[apsw.Error]]:
        return [kind, *(child for sub in kind.__subclasses__() for child in below(sub))]

    known = {kind: faults.translate(kind("x")) for kind in below(apsw.Error)}
    assert all(isinstance(error, CommonplaceError) for error in known.values())
    assert isinstance(known[apsw.FullError], Unavailable)
    assert "NOT SAVED" in known[apsw.FullError].message
    assert isinstance(known[apsw.ConstraintError], Internal)
