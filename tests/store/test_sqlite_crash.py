"""A server killed in the middle of writing: what was answered is there, nothing is half there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from commonplace.store.sqlite import open_store
from store.build import HandClock
from store.whole import assert_whole

pytestmark = pytest.mark.heavy

WRITES = """
import os, sys, threading, time
from datetime import UTC, datetime
from commonplace.domain.ids import uuid7
from commonplace.domain.memory import Change
from commonplace.store.sqlite import open_store

def clock():
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

def new_id():
    return uuid7(int(time.time() * 1000), os.urandom(10))

def change(kind, name, body):
    return Change(kind=kind, id=new_id(), memory_id=new_id(), scope="global", name=name,
                  author="t@h", description=body, body=body * 200)

def work(round_, thread):
    for number in range(1000):
        name = f"m-{round_}-{thread}-{number}"
        for kind in ("remember", "update"):
            body = f"{kind} {name} "
            version = store.write(change(kind, name, body)).version
            os.write(1, f"{name} {version.version} {version.content_sha}\\n".encode())

store = open_store(sys.argv[1], prepare=str.lower, clock=clock)
for thread in range(4):
    threading.Thread(target=work, args=(sys.argv[2], thread), daemon=True).start()
threading.Event().wait(60)
"""


def test_a_kill_in_the_middle_of_writes_loses_none_and_halves_none(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    answered: dict[tuple[str, int], str] = {}
    for round_, kill_after in enumerate((1, 120, 333)):
        child = subprocess.Popen(
            [sys.executable, "-c", WRITES, str(path), str(round_)], stdout=subprocess.PIPE
        )
        with child:
            assert child.stdout is not None
            lines = [child.stdout.readline() for _ in range(kill_after)]
            child.kill()
            lines += child.stdout.read().splitlines(keepends=True)
        for line in lines:
            assert line.endswith(b"\n")
            name, version, sha = line.decode().split()
            answered[name, int(version)] = sha
        store = open_store(path, prepare=str.lower, clock=HandClock())
        stored = {(version.name, version.version): version for version in store.changes("", 10_000)}
        store.close()
        assert {key: stored[key].content_sha for key in answered} == answered
        assert all(version.body == version.description * 200 for version in stored.values())
        assert_whole(path)
    assert len(answered) > 450


FILLS = """
import os, resource, sys
from commonplace.domain.ids import uuid7
from commonplace.domain.memory import Change
from commonplace.errors import CommonplaceError
from commonplace.store.sqlite import open_store

store = open_store(sys.argv[1], prepare=str.lower, clock=lambda: "2026-03-01T12:00:00.000000Z")
resource.setrlimit(resource.RLIMIT_FSIZE, (900_000, 900_000))
for number in range(200):
    ids = [uuid7(1_770_000_000_000, os.urandom(10)) for _ in "ab"]
    change = Change(kind="remember", id=ids[0], memory_id=ids[1], scope="global", author="t@h",
                    name=f"m-{number}", description="x", body=f"word{number} " * 500)
    try:
        store.write(change)
    except CommonplaceError as error:
        print("refused", error.code, error.message)
        break
    print(f"m-{number}", flush=True)
print(len(store.get("global", "m-0").version.body))
os._exit(0)
"""


def test_a_file_that_may_not_grow_refuses_the_write_and_keeps_what_was_answered(
    tmp_path: Path,
) -> None:
    path = tmp_path / "store.db"
    told = subprocess.run(
        [sys.executable, "-c", FILLS, str(path)], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.splitlines()
    *answered, refused, body_length = told
    assert refused.startswith("refused UNAVAILABLE")
    assert "NOT SAVED" in refused
    assert int(body_length) == 3000
    store = open_store(path, prepare=str.lower, clock=HandClock())
    stored = [version.name for version in store.changes("", 1000)]
    store.close()
    assert len(answered) > 5
    assert stored == answered
    assert_whole(path)
