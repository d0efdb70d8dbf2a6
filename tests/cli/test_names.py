"""Which memory a bare name means: the narrowest of this session's scopes that holds it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.cli import Cli


@pytest.fixture
def three(cli: Cli) -> Iterator[Cli]:
    """One name in all three scopes of a session."""
    for scope in ("project", "host", "global"):
        cli.remember("three", f"In the {scope}", "", "--scope", scope)
    yield cli
    cli("forget", "three", "--scope", "global", code=None)


def test_the_narrowest_scope_wins_and_stderr_names_it(three: Cli) -> None:
    done = three("get", "three")
    assert "In the project" in done.out
    assert done.err == f"found in {three.scope}, the narrowest scope here that holds the name\n"


def test_a_forgotten_narrow_one_gives_way_to_a_wider_one(three: Cli) -> None:
    three("forget", "three")
    assert "In the host" in three("get", "three").out
    three("forget", "three")
    assert "In the global" in three("get", "three").out
    assert three("history", "three", "--json").json["scope"] == "global"


def test_restore_takes_the_narrowest_forgotten_one(three: Cli) -> None:
    three("forget", "three")
    assert three("restore", "three", "--json").json["scope"] == three.scope


def test_a_version_the_narrowest_one_lacks_is_not_taken_from_a_wider_one(three: Cli) -> None:
    three("update", "three", "-d", "Newer", "--scope", "global")
    done = three("get", "three", "--version", "2", code=1)
    assert f"{three.scope} three has no version 2; it has 1 to 1" in done.err
    assert "has no version 2" in three("restore", "three", "--version", "2", code=1).err


def test_a_scope_given_is_the_only_one_looked_at(three: Cli) -> None:
    done = three("get", "three", "--scope", "global")
    assert "In the global" in done.out
    assert done.err == ""
    three("forget", "three")
    assert three("get", "three", "-s", "project", code=1).err.startswith("error NOT_FOUND")


def test_a_write_never_reaches_another_project(cli: Cli) -> None:
    other = f"{cli.scope}-other"
    cli.remember("theirs", "Not ours", "", "--scope", other)
    done = cli("forget", "theirs", code=1)
    assert done.err.startswith("error NOT_FOUND: no memory theirs in ")
    assert f"it is in {other}: name it with --scope" in done.err
    assert cli("get", "theirs", "--scope", other)


def test_near_names_are_offered(cli: Cli) -> None:
    cli.remember("build-cache-path")
    done = cli("update", "build-cach-path", "-d", "x", code=1)
    assert "nearest names: build-cache-path" in done.err


def test_another_project_can_be_named_by_option(cli: Cli) -> None:
    cli("--project", f"{cli.project}-two", "remember", "a", "Second", "")
    assert (
        cli("get", "a", "--project", f"{cli.project}-two", "--json").json["description"] == "Second"
    )
    cli("get", "a", code=1)
