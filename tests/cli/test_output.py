"""What is printed: one JSON value when asked, no escapes for the terminal, ages and help."""

from __future__ import annotations

import json

import pytest
from support.cli import Cli

from commonplace.clients.cli.group import COMMANDS
from commonplace.clients.cli.layout import age, cells, clip, pad
from commonplace.errors import codes
from commonplace.service.operations import OPERATIONS

NASTY = (
    "red \x1b[31mtext\x1b]0;title\x07 \u202ebidi\u202c zero\u200bwidth \U000e0041tag"
    " \x9b2J bell\x07"
)


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (("remember", "new", "Text"), {"scope", "name", "version", "memory_id", "action"}),
        (("update", "a", "-d", "Two"), {"scope", "name", "version", "action"}),
        (("forget", "a"), {"action", "deleted_at"}),
        (("restore", "a", "--version", "1"), {"action", "version"}),
        (("rename", "a", "b"), {"action", "name"}),
        (("move", "a", "host"), {"action", "scope"}),
        (("edit", "a", "--editor", "true"), {"action", "name"}),
        (("get", "a"), {"scope", "body", "versions", "links", "content_sha"}),
        (("recall", "one"), {"matches", "meaning", "notes"}),
        (("list",), {"memories", "total"}),
        (("history", "a"), {"scope", "name", "versions"}),
        (("index",), {"text", "shown", "total", "left_out"}),
        (("scope",), {"scopes", "project", "host", "rule", "detail", "warnings"}),
        (("scopes",), {"scopes"}),
        (("alias", "project", "host"), {"old", "new", "applied", "moved", "renamed"}),
        (("stats",), {"memories", "versions", "by_type", "server_version"}),
        (("call", "list_scopes"), {"scopes"}),
        (("config",), {"path", "settings"}),
        (("config", "get", "url"), {"name", "value", "source"}),
        (("config", "set", "agent", "me"), {"name", "value", "path"}),
        (("config", "path"), {"path"}),
        (("help",), {"topic", "text"}),
        (("help", "errors"), {"topic", "entries"}),
    ],
)
def test_json_is_one_value_with_these_fields(
    cli: Cli, words: tuple[str, ...], keys: set[str]
) -> None:
    cli.remember("a", "One")
    before = cli(*words, "--json")
    assert keys <= set(before.json)
    assert "found in" not in before.err


def test_global_options_stand_before_or_after_the_command(cli: Cli) -> None:
    assert cli("--json", "scope").json == cli("scope", "--json").json
    assert cli("--host", "one", "scope", "--json").json["host"] == "one"
    assert cli("scope", "--host", "one", "--json").json["host"] == "one"


def test_stored_text_reaches_no_terminal_as_a_command(cli: Cli) -> None:
    arguments = json.dumps(
        {"scope": cli.scope, "name": "a", "description": "x \u202e\u200b\U000e0041y", "body": NASTY}
    )
    cli("call", "remember", arguments)
    for words in (
        ("get", "a"),
        ("recall", "red"),
        ("list",),
        ("history", "a", "--diff"),
        ("index",),
    ):
        shown = cli(*words).out
        for char in "\x1b\x07\x9b\u202e\u200b\U000e0041":
            assert char not in shown, (words, char)
    raw = cli("get", "a", "--json")
    assert raw.raw.isascii()
    assert raw.json["body"] == NASTY
    assert cli("get", "a", "--body").out == NASTY


def test_a_token_is_never_printed(cli: Cli) -> None:
    cli("config", "set", "token", "-", stdin=b"very-secret-token\n")
    for words in (("config",), ("config", "get", "token"), ("config", "--json")):
        done = cli(*words)
        assert "(set)" in done.out
        assert "very-secret-token" not in done.out + done.err


def test_config_changes_one_line_and_keeps_the_rest(cli: Cli) -> None:
    path = cli.folder / "config.toml"
    path.write_text('# mine\nagent = "old"\n\n[other]\nagent = 1\n', encoding="utf-8")
    cli("--config", str(path), "config", "set", "agent", "new")
    assert path.read_text(encoding="utf-8") == '# mine\n\nagent = "new"\n[other]\nagent = 1\n'
    assert cli("--config", str(path), "config", "get", "agent").out == "new\n"
    cli("--config", str(path), "config", "unset", "agent")
    assert (
        cli("--config", str(path), "config", "get", "agent", "--json").json["source"] == "default"
    )
    assert path.stat().st_mode & 0o777 == 0o600


def test_config_tells_where_each_value_came_from(cli: Cli) -> None:
    settings = cli("config", "--agent", "me", "--json").json["settings"]
    assert settings["agent"] == {"value": "me", "source": "option"}
    assert settings["url"]["source"] == "environment"
    assert settings["timeout"]["source"] == "default"


def test_scope_explains_the_rule(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "rule:    environment" in cli("scope", "--explain").out
    monkeypatch.delenv("COMMONPLACE_PROJECT")
    (cli.folder / ".commonplace.toml").write_text('project = "example.org/a/b"\n', encoding="utf-8")
    done = cli("scope", "--explain")
    assert done.out.splitlines()[0] == "project:example.org/a/b"
    assert "rule:    override" in done.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example_within_eighty_columns(cli: Cli, name: str) -> None:
    shown = cli(name, "--help").out
    assert f"  commonplace {name}" in shown or f"| commonplace {name}" in shown
    assert all(len(line) <= 80 for line in shown.splitlines()), shown
    assert cli("help", name).out.split("Options:")[0] == shown.split("Options:")[0]


def test_the_root_help_names_every_command_and_needs_none(cli: Cli) -> None:
    shown = cli().out
    assert shown == cli("--help").out
    assert all(f"\n  {name} " in shown for name in COMMANDS)
    assert "--install-completion" in shown


def test_the_hook_option_stands_in_the_help_of_index(cli: Cli) -> None:
    assert "--hook" in cli("index", "--help").out


def test_help_topics_list_codes_operations_and_settings(cli: Cli) -> None:
    assert all(f"{code} " in cli("help", "errors").out for code in codes())
    operations = "\n" + cli("help", "operations").out
    assert [name for name in OPERATIONS if f"\n{name} " not in operations] == []
    assert "project:<host/owner/repo>" in cli("help", "scopes").out
    assert "COMMONPLACE_TOKEN_FILE" in cli("help", "settings").out
    assert "COMMONPLACE_LISTEN_PORT" in cli("help", "settings").out


@pytest.mark.parametrize(
    ("past_s", "shown"),
    [(-50, "now"), (59, "now"), (60, "1m"), (3599, "59m"), (3600, "1h"), (86399, "23h"),
     (3 * 86400, "3d"), (729 * 86400, "729d"), (731 * 86400, "2y")],
)  # fmt: skip
def test_ages_are_short_and_never_negative(past_s: int, shown: str) -> None:
    stamp, now_s = "2026-01-01T00:00:00.000000Z", 1767225600.0
    assert age(stamp, now_s + past_s) == shown
    assert age(None, now_s) == "-"


def test_columns_count_wide_and_combining_characters() -> None:
    assert [cells(text) for text in ("abc", "漢字", "e\u0301", "")] == [3, 4, 1, 0]
    assert clip("漢字漢字", 5) == "漢字…"
    assert pad("漢", 4) == "漢  "
    assert clip("a\nb", 9) == "a b"
