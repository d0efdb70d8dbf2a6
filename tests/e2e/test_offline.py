"""Four clients write while the server dies and comes back: each write ends up exactly once."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from support.hosts import Host
from support.server import Server
from support.wait import until

pytestmark = [pytest.mark.e2e, pytest.mark.heavy]

CLIENTS, WRITES = 4, 125
UPDATE_EVERY = 5
# One client as its machine sees it: many commands, without the cost of a process for each.
CLIENT = """
import io, json, sys
from commonplace.clients.cli.main import main

def run(*words):
    out, err = io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO())
    sys.stdout, sys.stderr = out, err
    code = main([*words, "--json", "--scope", "global"])
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    return code, json.loads(out.buffer.getvalue()), err.buffer.getvalue().decode()

me, writes, every, log = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
run("remember", f"count-{me}", "How far it is", "0")
for at in range(writes):
    if at % every == 0:
        words = ("update", f"count-{me}", "--body", str(at + 1))
    else:
        words = ("remember", f"fact-{me}-{at}", f"Fact {at}")
    code, reply, err = run(*words)
    with open(log, "a", encoding="utf-8") as file:
        line = {"at": at, "code": code, "queued": bool(reply.get("queued")), "reply": reply,
                "err": err}
        file.write(json.dumps(line) + "\\n")
"""


def lines(logs: list[Path]) -> list[dict[str, object]]:
    return [
        json.loads(line)
        for log in logs
        if log.exists()
        for line in log.read_text(encoding="utf-8").splitlines(keepends=True)
        if line.endswith("\n")
    ]


def still(running: list[subprocess.Popen[bytes]]) -> bool:
    return any(client.poll() is None for client in running)


def go_on(logs: list[Path], running: list[subprocess.Popen[bytes]], writes: int) -> None:
    """Wait until the clients have done so many writes more, or have ended."""
    goal = len(lines(logs)) + writes
    until(lambda: len(lines(logs)) >= goal or not still(running), "the clients to go on", 120)


def test_every_write_acknowledged_or_queued_ends_up_exactly_once(
    server: Server, tmp_path: Path
) -> None:
    hosts = [Host(f"host-{at}", tmp_path / f"host-{at}", server.url) for at in range(2)]
    logs = [tmp_path / f"client-{at}.jsonl" for at in range(CLIENTS)]
    # Two on each machine, which share its outbox.
    running = [
        subprocess.Popen(
            [sys.executable, "-c", CLIENT, str(at), str(WRITES), str(UPDATE_EVERY), str(logs[at])],
            env=hosts[at % 2].env,
            cwd=tmp_path,
        )
        for at in range(CLIENTS)
    ]
    dice = random.Random(4)
    kills = 0
    while still(running):
        go_on(logs, running, dice.randrange(20, 70))
        server.kill()
        kills += 1
        go_on(logs, running, dice.randrange(0, 15))
        server.start()
    assert [client.wait(60) for client in running] == [0] * CLIENTS

    done = lines(logs)
    assert len(done) == CLIENTS * WRITES
    assert [line for line in done if line["code"] != 0] == []
    queued = sum(bool(line["queued"]) for line in done)
    for host in hosts:
        host.run("outbox", "deliver")
        assert json.loads(host.run("outbox", "--json").stdout)["writes"] == []

    there = server.call("list", scopes=["global"], limit=1000).ok["memories"]
    facts = sorted(row["name"] for row in there if row["name"].startswith("fact-"))
    wanted = [(me, at) for me in range(CLIENTS) for at in range(WRITES) if at % UPDATE_EVERY]
    assert facts == sorted(f"fact-{me}-{at}" for me, at in wanted)
    for name in facts:
        assert server.call("get", scope="global", name=name).ok["versions"] == 1
    for me in range(CLIENTS):
        versions = server.call("history", scope="global", name=f"count-{me}").ok["versions"]
        bodies = [version["body"] for version in versions]
        assert bodies == ["0", *(str(at + 1) for at in range(0, WRITES, UPDATE_EVERY))]
    print(f"{len(done)} writes, {queued} of them queued, {kills} kills")
    assert queued > 0
    assert kills >= 3
