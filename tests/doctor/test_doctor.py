"""The doctor: a healthy chain is healthy, and each thing that can break is named with its cure."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from support.bad_servers import BAD, UNAUTHORIZED, answering, black_hole, closed_port, serving
from support.desk import Desk

from commonplace import __version__

JSON = "200 OK\r\nContent-Type: application/json"
HOOK = "commonplace index --hook --client"


def findings(desk: Desk, *words: str, code: int = 0) -> dict[str, dict[str, Any]]:
    """Return the findings by topic, the worst where a topic has several."""
    report = desk("doctor", "--json", *words, code=code).json
    order = ("broken", "warning", "ok")
    found: dict[str, dict[str, Any]] = {}
    for each in sorted(report["findings"], key=lambda one: -order.index(one["state"])):
        found[each["topic"]] = each
    for state in order:
        assert report[state] == sum(one["state"] == state for one in report["findings"])
    assert code == int(report["broken"] > 0)
    for each in report["findings"]:
        assert bool(each["mend"]) == (each["state"] != "ok"), each
    return found


def states(found: dict[str, dict[str, Any]]) -> dict[str, str]:
    return {topic: each["state"] for topic, each in found.items()}


def health(**changes: object) -> bytes:
    said = {"service": "commonplace", "status": "ok", "version": __version__, "meaning": "on"}
    return json.dumps({**said, "store": {}, **changes}).encode()


def set_hook(desk: Desk, line: str) -> None:
    handler = {"type": "command", "command": line, "timeout": 10}
    value = {"hooks": {"SessionStart": [{"hooks": [handler]}]}}
    desk.put(".codex/hooks.json", json.dumps(value))


def test_a_healthy_chain_is_ok_from_config_to_hook(desk: Desk) -> None:
    desk("connect", "claude-code", "gemini", "copilot", "cursor")
    found = findings(desk)
    assert {each["text"] for each in found.values() if each["state"] != "ok"} == set()
    for topic in ("config", "scope", "server", "version", "clock", "store", "access", "mcp"):
        assert topic in found
    for agent in ("claude-code", "gemini", "copilot", "cursor"):
        assert "characters in" in found[f"{agent} hook"]["text"]


def test_each_line_for_people_has_its_state_and_its_cure(desk: Desk) -> None:
    desk("connect", "codex")
    done = desk("doctor")
    assert "ok       server" in done.out
    assert "-> codex # type /hooks" in done.out
    assert "1 warning, 0 broken" in done.err


@pytest.mark.parametrize(
    ("name", "expected", "cure"),
    [
        ("200 with HTML", "another service answers", "config set url"),
        ("403 page of a proxy", "another service answers", "config set url"),
        ("wrong service", "another service answers", "config set url"),
        ("no HTTP", "does not speak HTTP", "config set url"),
        ("redirects to itself", "another service answers", "config set url"),
        ("accepts and never answers", "no answer within", "tailscale status"),
    ],
)
def test_what_is_no_commonplace_server_is_told_apart(
    desk: Desk, name: str, expected: str, cure: str
) -> None:
    with serving(BAD[name]) as port:
        found = findings(desk, "--url", f"http://127.0.0.1:{port}", "--timeout", "0.5", code=1)
    assert expected in found["server"]["text"]
    assert cure in found["server"]["mend"]


def test_a_server_that_is_not_running_is_told_with_the_way_to_start_it(desk: Desk) -> None:
    found = findings(desk, "--url", f"http://127.0.0.1:{closed_port()}", code=1)
    assert "refused" in found["server"]["text"]
    assert "commonplace serve --http" in found["server"]["mend"]


def test_a_server_behind_a_wall_is_told_from_one_that_is_down(desk: Desk) -> None:
    with black_hole() as port:
        found = findings(desk, "--url", f"http://127.0.0.1:{port}", "--timeout", "0.3", code=1)
    assert "no answer within 0.3 s" in found["server"]["text"]


def test_a_proxy_of_the_environment_is_named_when_the_server_is_away(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", "http://me:secret@proxy.example:3128")
    done = desk("doctor", "--url", f"http://127.0.0.1:{closed_port()}", code=1)
    assert "https_proxy is set and not used" in done.out
    assert "secret" not in done.out
    monkeypatch.undo()


def test_a_missing_token_is_told_with_the_way_to_set_one(desk: Desk) -> None:
    def behave(peer: Any, over: Any) -> None:
        head = peer.recv(65536, 2)
        (answering(JSON, health()) if b"/healthz" in head else UNAUTHORIZED)(peer, over)

    with serving(behave) as port:
        found = findings(desk, "--url", f"http://127.0.0.1:{port}", code=1)
    assert found["access"]["state"] == "broken"
    assert "token" in found["access"]["text"]
    assert "config set token_file" in found["access"]["mend"]


def test_a_refused_host_name_is_told_from_a_wrong_service(desk: Desk) -> None:
    with serving(answering("421 Misdirected Request\r\nContent-Type: text/plain", b"no")) as port:
        found = findings(desk, "--url", f"http://127.0.0.1:{port}", code=1)
    assert "refuses to be called" in found["server"]["text"]


def test_a_server_of_another_version_is_told_and_which_is_older(desk: Desk) -> None:
    with serving(answering(JSON, health(version="99.0.0"))) as port:
        found = findings(desk, "--url", f"http://127.0.0.1:{port}", code=1)
    assert found["version"]["state"] == "warning"
    assert "this client is older" in found["version"]["text"]


def test_a_clock_that_is_wrong_is_told_with_by_how_much(desk: Desk) -> None:
    date = "Date: Tue, 01 Jan 2030 00:00:00 GMT"
    with serving(answering(f"{JSON}\r\n{date}", health())) as port:
        found = findings(desk, "--url", f"http://127.0.0.1:{port}", code=1)
    assert found["clock"]["state"] == "warning"
    assert "ahead of this machine" in found["clock"]["text"]


def test_a_store_or_meaning_that_does_not_work_is_told(desk: Desk) -> None:
    said = health(
        status="failing", store={"message": "the disk is full"}, meaning="off: no model file"
    )
    with serving(
        answering("503 Service Unavailable\r\nContent-Type: application/json", said)
    ) as at:
        found = findings(desk, "--url", f"http://127.0.0.1:{at}", code=1)
    assert found["store"]["text"] == "the disk is full"
    assert "no model file" in found["meaning"]["text"]


def test_a_config_file_that_does_not_parse_is_the_one_finding(desk: Desk) -> None:
    desk.put(".config/commonplace/config.toml", "url = \n")
    found = findings(desk, code=1)
    assert states(found) == {"config": "broken"}
    assert "line 1" in found["config"]["text"]


def test_a_token_that_others_can_read_is_told_and_never_shown(desk: Desk) -> None:
    file = desk.put("my token", "cp_secret-token\n", 0o644)
    desk("config", "set", "token_file", str(file))
    done = desk("doctor", "--json")
    assert "cp_secret-token" not in done.out + done.err
    token = next(each for each in done.json["findings"] if each["topic"] == "token")
    assert token["state"] == "warning"
    assert token["mend"] == f"chmod 600 {shlex.quote(str(file))}"
    file.chmod(0o600)
    assert states(findings(desk))["token"] == "ok"
    file.unlink()
    assert states(findings(desk, code=1))["token"] == "broken"


def test_writes_that_wait_are_told(desk: Desk) -> None:
    gone = f"http://127.0.0.1:{closed_port()}"
    desk("remember", "--scope", "global", "later", "A fact for later", "--url", gone)
    found = findings(desk)
    assert found["outbox"]["state"] == "warning"
    assert "1 write waiting" in found["outbox"]["text"]


def test_an_agent_that_is_here_and_not_connected_is_told(desk: Desk) -> None:
    desk.put(".gemini/GEMINI.md", "")
    found = findings(desk)
    assert found["gemini"]["state"] == "warning"
    assert found["gemini"]["mend"] == "commonplace connect gemini"


def test_a_settings_file_that_does_not_parse_is_broken_with_its_place(desk: Desk) -> None:
    desk.put(".claude.json", '{"a": }')
    found = findings(desk, code=1)
    assert f"{desk.home}/.claude.json:1:7" in found["claude-code"]["text"]


def test_an_entry_for_another_server_is_told_with_the_command_that_mends_it(desk: Desk) -> None:
    desk("connect", "gemini", "--url", "http://old-box:9322")
    found = findings(desk)
    assert "http://old-box:9322" in found["gemini"]["text"]
    assert found["gemini"]["mend"] == "commonplace connect gemini"


def test_a_hook_whose_program_is_gone_is_broken(desk: Desk) -> None:
    set_hook(desk, f"/nowhere/{HOOK} codex")
    found = findings(desk, code=1)
    assert "code 127" in found["codex hook"]["text"]
    assert found["codex hook"]["mend"] == "commonplace connect codex"
    desk("connect", "codex")
    assert states(findings(desk))["codex hook"] == "ok"


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ('{"additionalContext": "x"}', "does not take"),
        ("plain text", "does not take"),
        ('{"hookSpecificOutput": {"hookEventName": "Stop"}}', "does not take"),
        (
            '{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "x",'
            ' "sessionTitle": "y"}}',
            "does not take",
        ),
        (
            '{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "%s"}}'
            % ("é" * 5001),
            "would be cut",
        ),
    ],
)
def test_a_hook_that_prints_what_codex_does_not_take_is_broken(
    desk: Desk, printed: str, expected: str
) -> None:
    set_hook(desk, f"printf %s {shlex.quote(printed)} # {HOOK} codex")
    found = findings(desk, code=1)
    assert expected in found["codex hook"]["text"]


def test_hooks_run_without_the_variables_of_this_terminal(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk("connect", "cursor")
    monkeypatch.setenv("COMMONPLACE_TIMEOUT", "0.000001")
    monkeypatch.setenv("PATH", "/nowhere")
    found = findings(desk, code=1)
    assert found["server"]["state"] == "broken"
    assert "characters in" in found["cursor hook"]["text"]


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ('trusted_hash = "sha256:00"\n', "ok"),
        ('trusted_hash = "sha256:00"\nenabled = false\n', "warning"),
        (None, "warning"),
    ],
)
def test_the_trust_codex_was_given_is_read_from_its_settings(
    desk: Desk, state: str | None, expected: str
) -> None:
    desk("connect", "codex")
    config = desk.home / ".codex/config.toml"
    if state is not None:
        key = json.dumps(f"{desk.home}/.codex/hooks.json:session_start:0:0")
        with config.open("a", encoding="utf-8") as file:
            file.write(f"\n[hooks.state.{key}]\n{state}")
    assert states(findings(desk))["codex trust"] == expected


def test_a_cache_that_cannot_be_written_is_told(desk: Desk, tmp_path: Path) -> None:
    blocked = tmp_path / "no-folder"
    blocked.write_text("", encoding="utf-8")
    desk.cli.patch.setenv("XDG_CACHE_HOME", str(blocked))
    assert states(findings(desk))["cache"] == "warning"
