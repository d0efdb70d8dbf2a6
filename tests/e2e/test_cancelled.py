"""Updates over MCP that the client gives up on: none is lost, none is a ghost.

A client that cancels or hangs up does not learn what became of its update. Whatever that was, the
store must hold it whole or not at all, in one chain, findable by its words if it is the newest.
"""

from __future__ import annotations

import http.client
import json
import random
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from support.http import MCP_HEADERS, Api, tool_call
from support.wait import until

if TYPE_CHECKING:
    from support.server import Server

pytestmark = [pytest.mark.e2e, pytest.mark.heavy]

MEMORIES, UPDATES, AT_ONCE = 30, 300, 6
PADDING = "x" * 4000


def body_of(number: int) -> str:
    return f"update-{number} {PADDING} end-{number}"


def word(number: int) -> str:
    """Return a word of letters that only this update's description holds."""
    return "zq" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:04d}")


def send_and_give_up(server: Server, number: int, *, disconnect: bool, delay_s: float) -> bool:
    """Send update `number` and give up after the delay; return whether it was acknowledged."""
    arguments = {
        "scope": "global",
        "name": f"memory-{number % MEMORIES}",
        "description": f"Update {word(number)}",
        "body": body_of(number),
    }
    message = tool_call("update", arguments, request_id=f"u{number}")
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        connection.request("POST", "/mcp", json.dumps(message), MCP_HEADERS)
        threading.Event().wait(delay_s)
        if disconnect:
            return False
        cancel = {
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": {"requestId": f"u{number}", "reason": "the user pressed escape"},
        }
        other = Api(server.port)
        assert other.mcp(cancel).status in {200, 202}
        other.close()
        answer = connection.getresponse()
        text = answer.read()
        return answer.status == 200 and not json.loads(text).get("result", {"isError": True}).get(
            "isError", False
        )
    finally:
        connection.close()


def test_updates_given_up_by_the_client_are_whole_or_not_there(server: Server) -> None:
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    for at in range(MEMORIES):
        first = server.call(
            "remember", scope="global", name=f"memory-{at}", description="The first", body="first"
        )
        assert first.ok["version"] == 1
    plans = [
        {"disconnect": number % 2 == 0, "delay_s": chance.uniform(0.002, 0.020)}
        for number in range(UPDATES)
    ]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        known = list(pool.map(lambda n: send_and_give_up(server, n, **plans[n]), range(UPDATES)))
    settle(server)

    landed: set[int] = set()
    for at in range(MEMORIES):
        landed |= check_chain(server, f"memory-{at}")
    lost = {number for number, told in enumerate(known) if told} - landed
    assert not lost, f"acknowledged and lost: {sorted(lost)} (seed {seed})"
    print(f"{sum(known)} of {UPDATES} were acknowledged, {len(landed)} landed (seed {seed})")
    never = set(range(UPDATES)) - landed
    assert not never, f"sent whole, and not there: {sorted(never)} (seed {seed})"


def settle(server: Server) -> None:
    """Wait until nothing that was sent is still being worked on: two counts apart agree."""
    seen: list[int] = []

    def quiet() -> bool:
        for _ in range(20):
            server.call("list_scopes").ok
        seen.append(server.call("stats").ok["versions"])
        return len(seen) > 3 and len(set(seen[-3:])) == 1

    until(quiet, "the server to have worked off what was sent")


def check_chain(server: Server, name: str) -> set[int]:
    """The chain counts from 1 without a gap, each version is one update whole; return which."""
    versions = server.call("history", scope="global", name=name).ok["versions"]
    assert [row["version"] for row in versions] == list(range(1, len(versions) + 1))
    assert len({row["memory_id"] for row in versions}) == 1
    numbers = [number_of(row) for row in versions[1:]]
    assert len(set(numbers)) == len(numbers), f"an update landed twice in {name}: {numbers}"
    newest = server.call("get", scope="global", name=name).ok
    assert newest["version"] == len(versions)
    assert newest["body"] == versions[-1]["body"]
    check_words(server, name, numbers)
    return set(numbers)


def number_of(row: dict[str, Any]) -> int:
    number = int(row["body"].split(" ", 1)[0].removeprefix("update-"))
    assert row["body"] == body_of(number)
    assert row["description"] == f"Update {word(number)}"
    return number


def check_words(server: Server, name: str, numbers: list[int]) -> None:
    """The words of the newest version find the memory, those of an older one do not."""
    found: dict[int, list[str]] = defaultdict(list)
    for number in numbers[-2:]:
        matches = server.call("recall", query=word(number), scopes=["global"]).ok["matches"]
        found[number] = [
            match["name"] for match in matches if match["description"] == f"Update {word(number)}"
        ]
    for number in numbers[-2:]:
        assert found[number] == ([name] if number == numbers[-1] else []), (name, number, found)
