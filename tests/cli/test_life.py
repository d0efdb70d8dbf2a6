"""A memory's life from the terminal: written, found, changed, forgotten, brought back, moved."""

from __future__ import annotations

import re

import pytest
from support.cli import Cli


def test_a_memory_goes_to_the_project_of_the_session_and_the_answer_says_so(cli: Cli) -> None:
    done = cli.remember("port", "Tests need 5433")
    assert done.out == f"created port in {cli.scope}, version 1\n"


def test_without_a_project_a_memory_goes_to_global(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COMMONPLACE_PROJECT")
    assert "in global, version 1" in cli.remember("no-project-here").out


def test_project_and_host_alone_mean_those_of_the_session(cli: Cli) -> None:
    assert cli.scope in cli.remember("a", "One", "", "--scope", "project").out
    assert f"host:{cli.env['COMMONPLACE_HOST']}" in cli.remember("a", "Two", "", "-s", "host").out


def test_a_whole_life_leaves_its_history(cli: Cli) -> None:
    cli.remember("port", "Tests need 5433", "Because of CI.")
    cli("update", "port", "--description", "Tests need 5434", "--pin", "--expected-version", "1")
    cli("forget", "port")
    gone = cli("get", "port", code=1)
    assert gone.err.startswith("error NOT_FOUND: ")
    assert "restore" in gone.err
    cli("restore", "port")
    shown = cli("history", "port", "--diff").out
    assert re.search(r"^v1 .* created$", shown, re.M)
    assert re.search(r"^v2 .* updated: description, pinned$", shown, re.M)
    assert re.search(r"^ .* forgotten$", shown, re.M)
    assert re.search(r"^v3 .* restored", shown, re.M)
    assert "-Tests need 5433" in shown
    assert "+Tests need 5434" in shown
    assert "@h-test" in shown


def test_restore_goes_back_to_a_version(cli: Cli) -> None:
    cli.remember("port", "5433")
    cli("update", "port", "-d", "5434")
    cli("restore", "port", "--version", "1")
    assert cli("get", "port", "--json").json["description"] == "5433"
    assert cli("get", "port", "--version", "2", "--json").json["description"] == "5434"


def test_update_keeps_what_was_not_given(cli: Cli) -> None:
    cli.remember("a", "One", "Body", "--pin", "--type", "feedback", "--link", "builds-on:b")
    cli("update", "a", "-d", "Two")
    kept = cli("get", "a", "--json").json
    assert (kept["body"], kept["pinned"], kept["type"]) == ("Body", True, "feedback")
    assert [(link["type"], link["name"]) for link in kept["links"]] == [("builds-on", "b")]
    cli("update", "a", "--no-links", "--no-pin", "--body", "")
    kept = cli("get", "a", "--json").json
    assert (kept["body"], kept["pinned"], kept["links"]) == ("", False, [])


def test_a_link_may_lead_to_another_scope(cli: Cli) -> None:
    cli.remember("a", "One", "", "--link", "related-to:style@global")
    assert cli("get", "a", "--json").json["links"][0]["scope"] == "global"


def test_rename_and_move_take_the_history_along(cli: Cli) -> None:
    cli.remember("old", "One")
    assert cli("rename", "old", "new").out == f"renamed old to new in {cli.scope}, version 2\n"
    assert "was renamed to" in cli("get", "old", code=1).err
    assert cli("move", "new", "host").out.startswith("moved new to host:h-test")
    assert len(cli("history", "new", "--json").json["versions"]) == 3


def test_recall_finds_by_words_and_explains_the_score(cli: Cli) -> None:
    cli.remember("port", "Zebrafish tests need 5433", "The image maps it.")
    done = cli("recall", "zebrafish", "needs", "--scope", "project", "--explain")
    assert done.out.startswith("1. port  reference  now  ")
    assert re.search(r"^   score \d\.\d{3}.*words \d+\.\d{3}", done.out, re.M)
    nothing = cli("recall", "xylophone-quux", "--scope", "project")
    assert (nothing.out, "nothing found" in nothing.err) == ("", True)


def test_list_shows_the_scopes_of_the_session_and_marks_pinned_ones(cli: Cli) -> None:
    cli.remember("a", "First of all", "", "--pin", "--type", "user")
    cli.remember("b", "On this host", "", "--scope", "host")
    cli.remember("c", "Elsewhere", "", "--scope", "project:example.org/else/where-list")
    shown = cli("list", "--scope", "project", "--scope", "host").out
    assert f"{cli.scope}\n* a  user        now  First of all\n" in shown
    assert "Elsewhere" not in cli("list").out
    assert "Elsewhere" in cli("list", "--all").out


def test_a_list_that_is_cut_says_so_and_how_to_see_the_rest(cli: Cli) -> None:
    for name in ("a", "b", "c"):
        cli.remember(name)
    done = cli("list", "-s", "project", "--limit", "2")
    assert done.err == "2 of 3 shown; --limit 3 shows all\n"


def test_lines_fit_eighty_columns(cli: Cli) -> None:
    cli.remember("a", "Long " * 100)
    cli.remember("b", "漢字" * 100)
    shown = cli("list", "-s", "project").out
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert shown.count("…") == 2


def test_alias_shows_first_and_joins_only_when_told(cli: Cli) -> None:
    cli.remember("a", "One")
    new = f"{cli.scope}-new"
    dry = cli("alias", "project", new)
    assert dry.out.startswith(f"would join {cli.scope} into {new}\n  a\n")
    assert "--apply" in dry.err
    assert cli("alias", cli.scope, new, "--apply").out.startswith(f"joined {cli.scope} into ")
    assert cli("get", "a", "--json").json["scope"] == new
    assert f"{cli.scope} → {new}" in cli("scopes").out


def test_index_prints_what_a_session_is_shown(cli: Cli) -> None:
    cli.remember("a", "Shown at the start")
    assert "a: Shown at the start" in cli("index").out
    assert len(cli("index", "--budget", "2000").raw) <= 2001


def test_stats_count_and_list_what_nobody_read(cli: Cli) -> None:
    cli.remember("unread-one", "Nobody looked")
    shown = cli("stats", "--never-read", "--limit", "1000").out
    assert re.search(r"^ +\d+  memories$", shown, re.M)
    assert "unread-one" in shown
