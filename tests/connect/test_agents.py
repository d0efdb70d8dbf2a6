"""Every agent: in, again, and out, and whatever else is in its files stays to the byte."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from support.agent_files import FILES
from support.desk import Desk

from commonplace.clients.connect.agents import AGENTS
from commonplace.clients.connect.formats import FORMATS

NAMES = [agent.name for agent in AGENTS]
TOKEN = "cp_this-is-the-secret-token"
each_agent = pytest.mark.parametrize("agent", NAMES)


def furnish(desk: Desk, agent: str) -> None:
    for name, text in FILES[agent].items():
        desk.put(name, text)


def states(desk: Desk, agent: str) -> tuple[str | None, str | None]:
    listed = desk("connect", "--list", "--json").json["agents"]
    found = next(each for each in listed if each["agent"] == agent)
    return tuple(found[role]["state"] if found[role] else None for role in ("mcp", "hook"))  # pyright: ignore


@each_agent
def test_connecting_a_fresh_machine_and_removing_it_leaves_nothing(desk: Desk, agent: str) -> None:
    before = desk.tree()
    desk("connect", agent)
    assert desk.tree() != before
    assert set(states(desk, agent)) <= {"ours", None}
    desk("connect", agent, "--remove")
    assert desk.tree() == before


@each_agent
def test_what_others_put_into_the_files_survives_to_the_byte(desk: Desk, agent: str) -> None:
    furnish(desk, agent)
    before = desk.tree()
    desk("connect", agent)
    for name, text in FILES[agent].items():
        after = (desk.home / name).read_bytes().decode("utf-8")
        left = after
        for line in text.splitlines(keepends=True):
            bare = line.rstrip("\r\n,")
            assert bare in left, f"{line!r} is not in its place in {after}"
            left = left[left.index(bare) + len(bare) :]
    desk("connect", agent, "--remove")
    assert desk.tree() == before


@each_agent
@pytest.mark.parametrize("furnished", [False, True])
def test_connecting_twice_changes_nothing(desk: Desk, agent: str, furnished: bool) -> None:
    if furnished:
        furnish(desk, agent)
    desk("connect", agent)
    before = desk.tree()
    again = desk("connect", agent, "--json").json["agents"][0]
    assert {file["action"] for file in again["files"]} == {"unchanged"}
    assert again["notes"] == []
    assert desk.tree() == before


@each_agent
def test_a_dry_run_shows_the_change_and_makes_none(desk: Desk, agent: str) -> None:
    furnish(desk, agent)
    before = desk.tree()
    shown = desk("connect", agent, "--dry-run").out
    assert desk.tree() == before
    assert "+++ " in shown
    assert "commonplace" in shown
    assert "other-persons-secret" not in shown


@each_agent
def test_a_file_that_does_not_parse_is_left_alone_with_its_place(desk: Desk, agent: str) -> None:
    for name in FILES[agent]:
        furnish(desk, agent)
        desk.put(name, '{\n  "a": \n [mcpServers' + "\n  x: : [")
        before = desk.tree()
        done = desk("connect", agent, code=1)
        assert f"{desk.home / name}:" in done.err
        assert "left alone" in done.err
        desk("connect", agent, "--remove", code=1)
        assert desk.tree() == before
        assert "broken" in states(desk, agent)


@each_agent
def test_the_token_reaches_no_output_and_no_file_in_clear(
    desk: Desk, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMMONPLACE_TOKEN", TOKEN)
    expands = next(each for each in AGENTS if each.name == agent).expands
    furnish(desk, agent)
    shown = desk("connect", agent, "--dry-run", code=0 if expands else 1)
    done = desk("connect", agent, code=0 if expands else 1)
    listed = desk("connect", "--list", "--json")
    for said in (shown, done, listed):
        assert TOKEN not in said.out + said.err
    for content in desk.tree().values():
        assert TOKEN.encode() not in (content or b"")
    if not expands:
        assert "--token-in-clear" in done.err
        clear = desk("connect", agent, "--token-in-clear")
        dry = desk("connect", agent, "--dry-run", "--remove", "--token-in-clear")
        assert TOKEN not in clear.out + clear.err + dry.out + dry.err
        holding = [name for name, held in desk.tree().items() if TOKEN.encode() in (held or b"")]
        assert holding
        for name in holding:
            assert stat.S_IMODE((desk.home / name).stat().st_mode) == 0o600


@each_agent
def test_an_entry_of_another_server_is_told_and_put_right(desk: Desk, agent: str) -> None:
    desk("connect", agent, "--url", "http://old-box:9322")
    listed = desk("connect", "--list", "--json").json["agents"]
    mcp = next(each for each in listed if each["agent"] == agent)["mcp"]
    if mcp["state"] != "differs":
        assert agent == "claude-desktop", mcp
        return
    assert "http://old-box:9322" in mcp["detail"]
    desk("connect", agent)
    assert set(states(desk, agent)) <= {"ours", None}
    assert b"old-box" not in b"".join(held or b"" for held in desk.tree().values())


@each_agent
def test_written_files_can_be_read_by_their_own_format(desk: Desk, agent: str) -> None:
    desk("connect", agent)
    for name in desk.tree():
        path = desk.home / name
        if path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
        elif path.suffix in {".toml", ".yaml"}:
            FORMATS[path.suffix[1:]].read(path.read_text(encoding="utf-8"))


@each_agent
def test_without_the_hook_only_the_mcp_entry_is_written(desk: Desk, agent: str) -> None:
    desk("connect", agent, "--no-hook")
    assert states(desk, agent)[0] == "ours"
    assert states(desk, agent)[1] in {"absent", None}


def test_a_link_stays_a_link_and_a_mode_stays_a_mode(desk: Desk) -> None:
    real = desk.put("dotfiles/claude.json", "{}\n", 0o640)
    link = desk.home / ".claude.json"
    link.symlink_to(real)
    desk("connect", "claude-code")
    assert link.is_symlink()
    assert "commonplace" in real.read_text(encoding="utf-8")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    desk("connect", "claude-code", "--remove")
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "{}\n"


def test_folders_named_by_an_agents_own_variables_are_used(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "c"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "x"))
    desk("connect", "claude-code", "codex")
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == [
        ".claude.json",
        "settings.json",
    ]
    assert sorted(path.name for path in (tmp_path / "x").iterdir()) == ["config.toml", "hooks.json"]


def test_a_file_others_wrote_to_since_keeps_what_they_wrote(desk: Desk) -> None:
    desk("connect", "gemini")
    path = desk.home / ".gemini/settings.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    value["mcpServers"]["theirs"] = {"command": "x"}
    value["hooks"]["SessionStart"].insert(0, {"hooks": [{"type": "command", "command": "y"}]})
    path.write_text(json.dumps(value), encoding="utf-8")
    desk("connect", "gemini", "--remove")
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "mcpServers": {"theirs": {"command": "x"}},
        "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "y"}]}]},
    }


def test_a_hook_inside_somebodys_group_is_found_and_taken_out_alone(desk: Desk) -> None:
    desk("connect", "codex")
    path = desk.home / ".codex/hooks.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    ours = value["hooks"]["SessionStart"][0]["hooks"][0]
    theirs = {"type": "command", "command": "echo hi"}
    value["hooks"]["SessionStart"] = [{"matcher": "startup", "hooks": [theirs, ours]}]
    path.write_text(json.dumps(value), encoding="utf-8")
    assert states(desk, "codex") == ("ours", "ours")
    desk("connect", "codex", "--remove")
    left = json.loads(path.read_text(encoding="utf-8"))
    assert left["hooks"]["SessionStart"] == [{"matcher": "startup", "hooks": [theirs]}]


def test_the_hook_line_is_absolute_quoted_and_the_same_for_each_run(desk: Desk) -> None:
    desk("connect", "codex", "--token-file", str(desk.home / "my token"), "--url", "http://b:1")
    hooks = json.loads((desk.home / ".codex/hooks.json").read_text(encoding="utf-8"))
    line = hooks["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    assert line.startswith("/")
    assert "index --hook --client codex --url http://b:1" in line
    assert f"--token-file '{desk.home / 'my token'}'" in line


def test_codex_tells_that_the_hook_must_be_trusted(desk: Desk) -> None:
    assert "/hooks" in desk("connect", "codex").err


def test_all_connects_the_agents_that_are_here(desk: Desk) -> None:
    desk.put(".gemini/GEMINI.md", "")
    desk.put(".codex/auth.json", "{}")
    listed = desk("connect", "all", "--json").json["agents"]
    assert {each["agent"] for each in listed} == {"codex", "gemini"}


def test_one_broken_agent_does_not_keep_the_others_from_being_connected(desk: Desk) -> None:
    desk.put(".gemini/settings.json", "{")
    done = desk("connect", "gemini", "codex", code=1)
    assert "settings.json:1:2" in done.err
    assert states(desk, "codex") == ("ours", "ours")


def test_an_unknown_agent_is_refused_with_the_names_there_are(desk: Desk) -> None:
    assert "claude-code, codex" in desk("connect", "clod", code=1).err
