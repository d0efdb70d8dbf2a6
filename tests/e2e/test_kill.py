"""The server dies while it writes: what it acknowledged is there, and nothing is half there."""

from __future__ import annotations

import http.client
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from support.server import Server

pytestmark = [pytest.mark.e2e, pytest.mark.heavy]

WRITES, CLIENTS, KILL_AFTER = 1000, 8, 400


def body_of(number: int) -> str:
    return f"begin-{number} " + "y" * (number % 700) + f" end-{number}"


def write_until_it_dies(server: Server, acknowledged: set[int], enough: threading.Event) -> None:
    numbers = iter(range(WRITES))
    turn = threading.Lock()

    def client() -> None:
        while True:
            with turn:
                number = next(numbers, None)
            if number is None:
                return
            try:
                reply = server.call(
                    "remember",
                    scope="global",
                    name=f"fact-{number}",
                    description=f"Fact number {number}",
                    body=body_of(number),
                )
            except (OSError, http.client.HTTPException):
                return
            assert reply.ok["version"] == 1
            with turn:
                acknowledged.add(number)
                if len(acknowledged) >= KILL_AFTER:
                    enough.set()

    with ThreadPoolExecutor(CLIENTS) as pool:
        for done in [pool.submit(client) for _ in range(CLIENTS)]:
            done.result()


def test_every_acknowledged_write_survives_kill_9_and_none_is_half_there(server: Server) -> None:
    acknowledged: set[int] = set()
    enough = threading.Event()
    writing = threading.Thread(target=write_until_it_dies, args=(server, acknowledged, enough))
    writing.start()
    assert enough.wait(60), f"only {len(acknowledged)} writes in a minute\n{server.log_tail()}"
    server.kill()
    writing.join(60)
    assert KILL_AFTER <= len(acknowledged) < WRITES

    server.start()
    listed = server.call("list", scopes=["global"], limit=1000).ok
    there = {int(row["name"].removeprefix("fact-")) for row in listed["memories"]}
    assert acknowledged <= there, f"acknowledged and lost: {sorted(acknowledged - there)}"
    for number in there:
        memory = server.call("get", scope="global", name=f"fact-{number}").ok
        assert memory["body"] == body_of(number)
        assert memory["description"] == f"Fact number {number}"
        assert (memory["version"], memory["versions"]) == (1, 1)
    last = max(there)
    found = server.call("recall", query=f"begin-{last}", scopes=["global"]).ok["matches"]
    assert f"fact-{last}" in [match["name"] for match in found]
    print(f"{len(acknowledged)} acknowledged, {len(there)} there after the restart")


def test_the_store_takes_writes_again_after_a_kill_during_updates(server: Server) -> None:
    where = {"scope": "global", "name": "again"}
    server.call("remember", **where, description="Will be cut off", body="0").ok
    for at in range(1, 6):
        assert server.call("update", **where, body=str(at)).ok["version"] == at + 1
    server.kill()
    server.start()
    assert server.call("get", **where).ok["body"] == "5"
    assert server.call("update", **where, body="after").ok["version"] == 7


def test_a_second_server_on_the_same_store_refuses_and_names_the_first(server: Server) -> None:
    from support.server import Server as Another

    second = Another(server.folder / "second")
    second.db = server.db
    with pytest.raises(AssertionError, match="ended at once") as refused:
        second.start()
    assert str(server.pid) in str(refused.value)
    assert "Traceback" not in str(refused.value)
    assert server.call("stats").ok["memories"] == 0
