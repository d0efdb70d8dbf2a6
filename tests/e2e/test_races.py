"""Many clients at once: no acknowledged write is lost, no chain forks, nobody is told BUSY."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from support.server import Server

pytestmark = [pytest.mark.e2e, pytest.mark.heavy]

CLIENTS, EACH = 8, 20
WHERE: dict[str, Any] = {"scope": "global", "name": "contended"}


def together(work: Callable[[int], list[int]]) -> list[int]:
    """Run the work of all clients at the same time; return the versions they were told."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        return [version for told in pool.map(work, range(CLIENTS)) for version in told]


def begin(server: Server) -> None:
    server.call("remember", **WHERE, description="Where the race is run", body="").ok


def check_one_chain(server: Server, told: list[int]) -> list[dict[str, Any]]:
    """Every acknowledged version is there once, one row is live, and the chain has no fork."""
    versions = server.call("history", **WHERE).ok["versions"]
    assert [row["version"] for row in versions] == list(range(1, CLIENTS * EACH + 2))
    assert sorted(told) == list(range(2, CLIENTS * EACH + 2))
    assert len({row["id"] for row in versions}) == len(versions)
    assert len({row["memory_id"] for row in versions}) == 1
    stamps = [row["created_at"] for row in versions]
    assert stamps == sorted(stamps)
    listed = server.call("list", scopes=["global"]).ok
    assert [row["name"] for row in listed["memories"]] == ["contended"]
    assert server.call("stats").ok["memories"] == 1
    return versions


def test_racing_updates_all_land_one_after_the_other(server: Server) -> None:
    begin(server)

    def client(number: int) -> list[int]:
        return [
            server.call("update", **WHERE, body=f"client {number} write {at}").ok["version"]
            for at in range(EACH)
        ]

    versions = check_one_chain(server, together(client))
    bodies = {row["body"] for row in versions[1:]}
    assert bodies == {f"client {n} write {at}" for n in range(CLIENTS) for at in range(EACH)}


def test_racing_updates_that_expect_a_version_lose_no_addition(server: Server) -> None:
    begin(server)

    def add(number: int, at: int) -> int:
        """Append a line to the newest body, as often as someone else is faster."""
        held = server.call("get", **WHERE).ok
        for _ in range(CLIENTS * EACH * 4):
            body = f"{held['body']}{number}.{at}\n"
            reply = server.call("update", **WHERE, body=body, expected_version=held["version"])
            if reply.status == 200:
                return reply.ok["version"]
            assert reply.code == "VERSION_CONFLICT", reply.body
            held = reply.error["details"]["current"]
        raise AssertionError(f"client {number} never got its addition {at} in")

    told = together(lambda number: [add(number, at) for at in range(EACH)])
    newest = check_one_chain(server, told)[-1]["body"]
    assert sorted(newest.split()) == sorted(
        f"{n}.{at}" for n in range(CLIENTS) for at in range(EACH)
    )


def test_one_of_many_who_remember_the_same_name_wins(server: Server) -> None:
    def client(number: int) -> list[int]:
        reply = server.call("remember", **WHERE, description=f"Of client {number}", body="")
        if reply.status == 200:
            return [number]
        assert reply.code == "EXISTS", reply.body
        return []

    winners = together(client)
    assert len(winners) == 1
    assert server.call("get", **WHERE).ok["description"] == f"Of client {winners[0]}"
