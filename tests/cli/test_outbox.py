"""Writes while the server is away: kept, told of, delivered once and in order, never dropped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.bad_servers import BAD, serving
from support.cli import Cli
from support.server import Server

QUEUED = "queued: no commonplace server"


@pytest.fixture
def box(cli: Cli, server: Server, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Give a command line whose server the test stops and starts."""
    monkeypatch.setenv("COMMONPLACE_URL", server.url)
    return cli


def entries(cli: Cli) -> list[dict[str, object]]:
    return cli("outbox", "--json").json["writes"]


def test_a_write_while_the_server_is_away_is_queued_and_says_so(box: Cli, server: Server) -> None:
    server.stop()
    done = box.remember("port", "Tests need 5433")
    assert done.out.startswith(f"queued remember of port in {box.scope} as ")
    assert QUEUED in done.err
    reply = box("remember", "other", "A fact", "--json").json
    assert reply["queued"] is True
    assert (reply["scope"], reply["name"]) == (box.scope, "other")
    assert [row["state"] for row in entries(box)] == ["waiting", "waiting"]
    server.start()
    assert "5433" in box("get", "port").out
    assert entries(box) == []


def test_the_next_command_delivers_in_order_and_says_so_once(box: Cli, server: Server) -> None:
    server.stop()
    box.remember("port", "Tests need 5433")
    box("update", "port", "-d", "Tests need 5434")
    box("forget", "port")
    box.remember("port", "Tests need 5435")
    server.start()
    done = box("list")
    assert "delivered 4 writes that waited" in done.err
    assert "Tests need 5435" in done.out
    shown = box("history", "port").out
    assert "updated: description" in shown
    assert "delivered" not in box("list").err
    assert box("outbox").out == ""


def test_call_queues_as_well_and_takes_the_request_id_of_its_caller(
    box: Cli, server: Server
) -> None:
    server.stop()
    asked = {"scope": "global", "name": "port", "description": "5433", "request_id": "r-1"}
    first = box("call", "remember", json.dumps(asked)).json
    assert (first["queued"], first["request_id"]) == (True, "r-1")
    assert box("call", "remember", json.dumps(asked)).json["id"] == first["id"]
    server.start()
    assert box("call", "get", '{"name": "port"}').json["version"] == 1


def test_what_no_server_would_take_is_refused_at_once(box: Cli, server: Server) -> None:
    server.stop()
    assert "error INVALID" in box("remember", "a/b", "x", code=1).err
    assert "error INVALID" in box("remember", "a", "two\nlines", code=1).err
    assert "UNKNOWN_SCOPE_FORM" in box("remember", "a", "x", "-s", "projct:x", code=1).err
    assert "INVALID" in box("call", "remember", '{"name": "x"}', code=1).err
    assert entries(box) == []


def test_no_queue_refuses_with_exit_3(box: Cli, server: Server) -> None:
    server.stop()
    refused = box("remember", "port", "x", "--no-queue", code=3)
    assert "error UNAVAILABLE" in refused.err
    assert "Not queued" in refused.err
    assert entries(box) == []


@pytest.mark.parametrize("words", [("restore", "a"), ("rename", "a", "b"), ("move", "a", "global")])
def test_what_needs_the_server_is_unavailable_and_not_queued(
    box: Cli, server: Server, words: tuple[str, ...]
) -> None:
    server.stop()
    refused = box(*words, "-s", "project", code=3)
    assert "error UNAVAILABLE" in refused.err
    assert "it is not queued: it needs the server" in refused.err
    assert entries(box) == []


def test_a_bare_name_goes_to_the_scope_it_was_last_seen_in(box: Cli, server: Server) -> None:
    box.remember("here", "A fact", "", "-s", "host")
    server.stop()
    reply = box("update", "here", "-d", "Another", "--json").json
    assert (reply["queued"], reply["scope"]) == (True, f"host:{box.env['COMMONPLACE_HOST']}")
    refused = box("update", "never-seen", "-d", "x", code=3)
    assert "which scope holds never-seen is not known here" in refused.err
    server.start()
    assert "Another" in box("get", "here").out


def conflict(box: Cli, server: Server) -> str:
    """Queue an update of what another machine changes meanwhile; return its id."""
    box.remember("port", "Tests need 5433")
    box("get", "port")
    server.stop()
    id_ = box("update", "port", "-d", "Mine", "--json").json["id"]
    server.start()
    server.call("update", scope=box.scope, name="port", description="Theirs").ok
    return id_


def test_a_conflict_is_told_kept_and_never_overwrites(box: Cli, server: Server) -> None:
    id_ = conflict(box, server)
    told = box("list")
    assert f"({id_}), VERSION_CONFLICT" in told.err
    assert "Theirs" in told.out
    assert "VERSION_CONFLICT" not in box("list").err, "it is told once"
    shown = box("outbox").out
    assert f"commonplace outbox retry {id_} --over" in shown
    kept = box("outbox", "show", id_).json
    assert kept["problem"]["details"]["current"]["description"] == "Theirs"
    assert kept["arguments"]["description"] == "Mine"


def test_a_conflict_can_be_put_on_top_or_dropped(box: Cli, server: Server) -> None:
    id_ = conflict(box, server)
    box("list")
    box("outbox", "retry", id_, "--over")
    assert box("get", "port", "--json").json["description"] == "Mine"
    assert box("get", "port", "--json").json["version"] == 3
    server.stop()
    dropped = box.remember("other", "x", "", "--json").json["id"]
    box("outbox", "drop", dropped)
    assert entries(box) == []
    assert "error NOT_FOUND" in box("outbox", "drop", dropped, code=1).err


def test_on_top_means_on_top_of_what_was_seen(box: Cli, server: Server) -> None:
    id_ = conflict(box, server)
    box("list")
    server.call("update", scope=box.scope, name="port", description="Theirs again").ok
    box("outbox", "retry", id_, "--over")
    assert "VERSION_CONFLICT" in box("list").err
    assert box("get", "port", "--json").json["description"] == "Theirs again"


def test_a_name_taken_meanwhile_is_kept_and_can_become_the_next_version(
    box: Cli, server: Server
) -> None:
    server.stop()
    id_ = box("remember", "port", "Mine", "--json").json["id"]
    server.start()
    server.call("remember", scope=box.scope, name="port", description="Theirs").ok
    assert f"({id_}), EXISTS" in box("list").err
    box("outbox", "retry", id_, "--over")
    box("outbox", "deliver")
    held = box("get", "port", "--json").json
    assert (held["description"], held["version"]) == ("Mine", 2)


def test_later_writes_to_a_memory_wait_behind_its_conflict_and_others_go_on(
    box: Cli, server: Server
) -> None:
    id_ = conflict(box, server)
    box("list")
    behind = box("update", "port", "-s", "project", "--pin", "--json").json
    assert behind["queued"] is True
    assert behind["reason"] == f"it waits behind {id_}, which was refused"
    assert "version 1" in box.remember("other", "x").out
    assert [row["state"] for row in entries(box)] == ["refused", "waiting"]
    box("outbox", "drop", id_)
    refused = box("list")
    assert "VERSION_CONFLICT" in refused.err, "it was made upon the text the dropped one was"


def test_what_is_queued_for_one_server_goes_to_no_other(
    box: Cli, server: Server, shared_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.stop()
    box.remember("port", "x")
    url = server.url
    monkeypatch.setenv("COMMONPLACE_URL", shared_server.url)
    assert "delivered" not in box("list").err
    assert box("get", "port", code=1).err.startswith("error NOT_FOUND")
    assert f"some wait for {url}" in box("outbox").err
    assert box("outbox", "deliver", "--json").json["delivered"] == []
    server.start()
    assert len(box("outbox", "deliver", "--url", url, "--json").json["delivered"]) == 1


def test_an_answer_that_was_lost_is_settled_once(box: Cli, server: Server) -> None:
    asked = {"scope": "global", "name": "port", "description": "5433", "request_id": "lost-1"}
    server.call("remember", **asked).ok
    url = server.url
    with serving(BAD["breaks off"]) as port:
        lost = box("call", "remember", json.dumps(asked), "--url", f"http://127.0.0.1:{port}")
    assert lost.json["queued"] is True
    path = Path(box("outbox", "--json").json["path"])
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(f"http://127.0.0.1:{port}", url), encoding="utf-8")
    assert "delivered 1 write" in box("list").err
    assert box("get", "port", "-s", "global", "--json").json["versions"] == 1


def test_a_portal_that_answers_for_the_server_gets_nothing_marked_as_done(box: Cli) -> None:
    with serving(BAD["200 with HTML"]) as port:
        done = box("remember", "port", "x", "--json", "--url", f"http://127.0.0.1:{port}")
    assert done.json["queued"] is True
    assert "is not commonplace" in done.json["reason"]


def test_deliver_says_when_no_server_answers(box: Cli, server: Server) -> None:
    server.stop()
    box.remember("port", "x")
    assert "error UNAVAILABLE" in box("outbox", "deliver", code=3).err
    assert len(entries(box)) == 1


def test_an_edited_text_is_queued_when_the_server_goes_away_meanwhile(
    box: Cli, server: Server, tmp_path: Path
) -> None:
    box.remember("port", "Old")
    editor = tmp_path / "editor"
    editor.write_text(
        f'#!/bin/sh\nsed -i s/Old/New/ "$1"\nkill -TERM {server.pid}\n'
        f"while kill -0 {server.pid} 2>/dev/null; do :; done\n",
        encoding="utf-8",
    )
    editor.chmod(0o755)
    reaped = __import__("threading").Thread(target=lambda: server.process and server.process.wait())
    reaped.start()
    done = box("edit", "port", "--editor", str(editor))
    reaped.join(30)
    assert "queued update of port" in done.out
    server.stop()
    server.start()
    assert "New" in box("get", "port").out
