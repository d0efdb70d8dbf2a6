"""Migrations go forward only, each with its record, after a copy when they touch rows."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from commonplace.errors import Unavailable
from commonplace.resources import folder
from commonplace.store import migrate
from commonplace.store.sqlite import SqliteStore, open_store
from store.build import HandClock, remember, seen

DIES = """
import os, sys
from commonplace.store import migrate
from commonplace.store.sqlite import open_store
from pathlib import Path

def die(db):
    os.kill(os.getpid(), 9)

real = migrate.connection.open_writer
def with_death(path, busy):
    db = real(path, busy)
    db.create_scalar_function("die", lambda: die(db))
    return db

migrate.connection.open_writer = with_death
open_store(sys.argv[1], prepare=str.lower, clock=lambda: "2026-03-01T12:00:00.000000Z",
           migrations=Path(sys.argv[2]))
"""


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """Give a folder with the shipped migrations, to add to."""
    return Path(shutil.copytree(folder("migrations"), tmp_path / "migrations"))


def opened(path: Path, migrations: Path | None = None) -> SqliteStore:
    return open_store(path, prepare=str.lower, clock=HandClock(), migrations=migrations)


def filled(path: Path) -> None:
    store = opened(path)
    store.write(remember("a", body="walnut"))
    store.close()


def recorded(path: Path) -> list[str]:
    db = apsw.Connection(str(path))
    names = [row[0] for row in db.execute("SELECT name FROM schema_migrations ORDER BY name")]
    db.close()
    return names


def test_opening_again_applies_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    filled(path)
    before = path.read_bytes()
    opened(path).close()
    assert path.read_bytes() == before


def test_a_migration_that_changes_data_is_preceded_by_a_copy_that_reads_back(
    tmp_path: Path, later: Path
) -> None:
    path = tmp_path / "store.db"
    filled(path)
    (later / "9001_shout.sql").write_text("UPDATE memory_versions SET body = upper(body);")
    store = opened(path, later)
    assert store.get("global", "a").version.body == "WALNUT"
    store.close()
    copy = tmp_path / "store.db.before-9001"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert recorded(path)[-1] == "9001_shout.sql"
    old = opened(copy)
    assert old.get("global", "a").version.body == "walnut"
    old.close()


def test_no_copy_is_made_where_no_row_can_change(tmp_path: Path, later: Path) -> None:
    filled(tmp_path / "store.db")
    (later / "9001_more.sql").write_text("-- data: none\nCREATE TABLE more (x TEXT) STRICT;")
    opened(tmp_path / "store.db", later).close()
    (later / "0004_all.sql").write_text("UPDATE memory_versions SET body = '';")
    opened(tmp_path / "empty.db", later).close()
    assert list(tmp_path.glob("*.before-*")) == []


def test_a_migration_of_another_engine_is_left_out(tmp_path: Path, later: Path) -> None:
    (later / "9001_postgres.sql").write_text("-- engine: postgres\nCREATE EXTENSION vector;")
    opened(tmp_path / "store.db", later).close()
    assert "9001_postgres.sql" not in recorded(tmp_path / "store.db")


def test_a_failing_migration_leaves_the_store_as_it_was(tmp_path: Path, later: Path) -> None:
    path = tmp_path / "store.db"
    filled(path)
    (later / "9001_half.sql").write_text("CREATE TABLE half (x); INSERT INTO nowhere VALUES (1);")
    with pytest.raises(Unavailable, match="cannot open"):
        opened(path, later)
    assert recorded(path) == sorted(file.name for file in folder("migrations").glob("*.sql"))
    store = opened(path)
    assert [row.name for row in store.index(seen())] == ["a"]
    store.close()


def test_a_server_killed_in_a_migration_leaves_it_undone_and_the_next_one_does_it(
    tmp_path: Path, later: Path
) -> None:
    path = tmp_path / "store.db"
    filled(path)
    step = later / "9001_die.sql"
    step.write_text("UPDATE memory_versions SET body = 'half'; SELECT die();")
    killed = subprocess.run([sys.executable, "-c", DIES, str(path), str(later)], check=False)
    assert killed.returncode == -9
    store = opened(path)
    assert store.get("global", "a").version.body == "walnut"
    store.close()
    step.write_text("UPDATE memory_versions SET body = 'whole';")
    store = opened(path, later)
    assert store.get("global", "a").version.body == "whole"
    store.close()


def test_line_ends_of_a_checkout_do_not_change_a_migration(later: Path) -> None:
    before = [step.sha256 for step in migrate.shipped(later, "sqlite")]
    for file in later.glob("*.sql"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert [step.sha256 for step in migrate.shipped(later, "sqlite")] == before


def test_base_migrations_say_why_and_stay_within_what_d1_speaks() -> None:
    for file in sorted(folder("migrations").glob("*.sql")):
        text = file.read_text(encoding="utf-8")
        assert text.startswith("-- Why: ")
        assert "-- engine: " in text
        if "-- engine: any" in text:
            code = "\n".join(line.partition("--")[0] for line in text.splitlines()).upper()
            for word in ("TRIGGER", "VIRTUAL", "TEMP", "PRAGMA", "BEGIN", "ATTACH"):
                assert word not in code
            assert code.count("CREATE TABLE") == code.count("STRICT;")
