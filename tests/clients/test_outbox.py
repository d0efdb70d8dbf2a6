"""The outbox's file: whole lines, in order, whatever a crash left; and what its lines say."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commonplace import errors
from commonplace.clients.outbox import Outbox
from commonplace.clients.outbox_log import Entry, Log, done_line

URL = "http://127.0.0.1:9"
ADDING = """
import sys
from commonplace.clients.outbox import Outbox
from commonplace.clients.outbox_log import Entry
box = Outbox(sys.argv[1])
for at in range(int(sys.argv[3])):
    name = f"{sys.argv[2]}-{at}"
    values = {"id": "", "url": "u", "operation": "remember", "scope": "global", "name": name,
              "arguments": {"request_id": name}, "host": "h", "agent": "a", "queued_at": 0.0}
    box.add(Entry(values), None)
"""


def entry(name: str, operation: str = "remember", **more: Any) -> Entry:
    arguments = {"request_id": f"{operation} {name} {more}", **more.pop("arguments", {})}
    values: dict[str, Any] = {
        "id": "",
        "url": URL,
        "operation": operation,
        "arguments": arguments,
        "scope": "global",
        "name": name,
        "host": "host-a",
        "agent": "cli",
        "queued_at": 1.0,
        **more,
    }
    return Entry(values)


@pytest.fixture
def box(tmp_path: Path) -> Outbox:
    return Outbox(str(tmp_path / "state"))


def names(box: Outbox) -> list[str]:
    return [held.name for held in box.read().entries.values()]


def test_nothing_is_made_before_something_is_queued(box: Outbox) -> None:
    assert box.is_empty()
    assert names(box) == []
    assert not Path(box.path).parent.exists()


def test_only_the_owner_can_read_what_is_queued(box: Outbox) -> None:
    box.add(entry("a"), None)
    assert stat.S_IMODE(Path(box.path).stat().st_mode) == 0o600
    assert stat.S_IMODE(Path(box.path).parent.stat().st_mode) == 0o700


def test_what_is_queued_comes_back_whole_and_in_order(box: Outbox) -> None:
    body = 'Zeile\r\n\u2028 emoji 🚀 \x00 \\ " 部署'
    box.add(entry("a", arguments={"body": body}), None)
    box.add(entry("b"), None)
    assert names(box) == ["a", "b"]
    assert next(iter(box.read().entries.values())).arguments["body"] == body


def test_the_same_request_is_queued_once(box: Outbox) -> None:
    first = box.add(entry("a"), None)
    assert box.add(entry("a"), None).id == first.id
    assert names(box) == ["a"]


def test_a_second_memory_of_a_name_that_waits_is_refused(box: Outbox) -> None:
    box.add(entry("a", arguments={"description": "one"}), None)
    with pytest.raises(errors.Exists, match="waits in the outbox already"):
        box.add(entry("a", arguments={"description": "two"}), None)
    box.add(entry("a", "forget"), None)
    box.add(entry("a", arguments={"description": "three"}), None)
    assert names(box) == ["a", "a", "a"]


@pytest.mark.parametrize("cut", [1, 20, 100])
def test_a_line_torn_by_a_crash_is_set_aside_and_the_rest_goes_on(box: Outbox, cut: int) -> None:
    box.add(entry("a"), None)
    box.add(entry("b"), None)
    raw = Path(box.path).read_bytes()
    Path(box.path).write_bytes(raw[:-cut])
    assert names(box) == ["a"]
    box.add(entry("c"), None)
    assert names(box) == ["a", "c"]
    torn = Path(box.torn_path)
    assert torn.read_bytes() == raw.splitlines(keepends=True)[1][:-cut] + b"\n"
    assert stat.S_IMODE(torn.stat().st_mode) == 0o600


def test_a_line_that_is_none_is_set_aside(box: Outbox) -> None:
    box.add(entry("a"), None)
    with Path(box.path).open("ab") as file:
        file.write(b"\x00\xff rubbish\n" + b'{"event":"queued","id":"x"}\n')
    box.add(entry("b"), None)
    assert names(box) == ["a", "b"]
    assert b"rubbish" in Path(box.torn_path).read_bytes()
    assert b"rubbish" not in Path(box.path).read_bytes()


def test_four_programs_queue_at_once_and_nothing_is_lost(box: Outbox, tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    programs = [
        subprocess.Popen([sys.executable, "-c", ADDING, state, f"p{at}", "40"]) for at in range(4)
    ]
    assert [program.wait(60) for program in programs] == [0, 0, 0, 0]
    found = names(box)
    assert sorted(found) == sorted(f"p{at}-{number}" for at in range(4) for number in range(40))
    for at in range(4):
        own = [name for name in found if name.startswith(f"p{at}-")]
        assert own == [f"p{at}-{number}" for number in range(40)]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file", encoding="utf-8")
    with pytest.raises(errors.Unavailable, match="cannot use"):
        Outbox(str(tmp_path / "state")).add(entry("a"), None)


def test_a_full_disk_leaves_no_half_line(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    box = Outbox(str(tmp_path / "state"))
    box.add(entry("a"), None)
    size = Path(box.path).stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 50, hard))
    try:
        with pytest.raises(errors.Unavailable, match="disk"):
            box.add(entry("b"), None)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert Path(box.path).stat().st_size == size
    box.add(entry("c"), None)
    assert names(box) == ["a", "c"]


def test_settled_lines_are_cleared_once_nothing_is_left(box: Outbox) -> None:
    one, two = box.add(entry("a"), None), box.add(entry("b"), None)
    box.settle(one.id, 1)
    box.tidy()
    assert names(box) == ["b"]
    box.settle(two.id, 1)
    box.tidy()
    assert box.is_empty()
    assert not Path(box.path).exists()


def test_an_update_carries_the_version_this_machine_last_saw(box: Outbox) -> None:
    assert box.add(entry("a", "update"), 7).arguments["expected_version"] == 7
    given = entry("b", "update", arguments={"expected_version": 3})
    assert box.add(given, 7).arguments["expected_version"] == 3
    assert "expected_version" not in box.add(entry("c", "update"), None).arguments
    assert "expected_version" not in box.add(entry("d"), 7).arguments
    heard = entry("e", "update", sent=True)
    assert "expected_version" not in box.add(heard, 7).arguments, "what was sent stays as it was"


def test_an_update_behind_another_stands_on_the_version_that_one_became(box: Outbox) -> None:
    first = box.add(entry("a", "update", arguments={"body": "1"}), 4)
    second = box.add(entry("a", "update", arguments={"body": "2"}), 4)
    assert "expected_version" not in second.arguments
    box.settle(first.id, 5)
    assert box.read().entries[second.id].arguments["expected_version"] == 5
    log = Log([*box.read().whole(), done_line(second.id, 6)])
    assert log.entries == {}


def test_what_stood_on_a_dropped_write_stands_on_what_that_one_stood_on(box: Outbox) -> None:
    first = box.add(entry("a", "update", arguments={"body": "1"}), 4)
    second = box.add(entry("a", "update", arguments={"body": "2"}), None)
    box.refuse(first.id, {"code": "VERSION_CONFLICT"})
    box.drop(first.id)
    assert box.read().entries[second.id].arguments["expected_version"] == 4


def test_a_refused_write_holds_up_its_own_memory_alone(box: Outbox) -> None:
    first = box.add(entry("a", "update"), None)
    box.add(entry("b"), None)
    box.add(entry("a", "forget"), None)
    box.refuse(first.id, {"code": "NOT_FOUND"})
    assert [held.name for held in box.read().deliverable(URL)] == ["b"]
    assert box.read().deliverable("http://elsewhere:1") == []
    assert box.read().counts() == (2, 1)
    box.retry(first.id)
    assert [held.name for held in box.read().deliverable(URL)] == ["a", "b", "a"]
