"""What a person may get wrong: it is refused with a code and a next step, nothing is stored."""

from __future__ import annotations

import json

import pytest
from support.cli import Cli


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("remember", "", "Text"), "INVALID", "name is empty"),
        (("remember", "two words", "Text"), "INVALID", "is not a slug"),
        (("remember", "line\nbreak", "Text"), "INVALID", "is not a slug"),
        (("remember", "n" * 101, "Text"), "INVALID", "limit is 100"),
        (("remember", "a"), "INVALID", "description is empty"),
        (("remember", "a", "two\nlines"), "INVALID", "line break"),
        (("remember", "a", "x" * 1001), "TOO_LARGE", "limit is 1000"),
        (("remember", "a", "half \udce9"), "INVALID", "lone surrogate"),
        (("remember", "a", "x", "-t", "poem"), "INVALID", "no such type: 'poem'"),
        (("remember", "a", "x", "-s", "projct:x"), "UNKNOWN_SCOPE_FORM", "a scope is global"),
        (("remember", "a", "x", "-s", "project:"), "UNKNOWN_SCOPE_FORM", "a scope is global"),
        (("remember", "a", "x", "-s", "host: "), "UNKNOWN_SCOPE_FORM", "a scope is global"),
        (("remember", "a", "x", "-s", "project:../x"), "UNKNOWN_SCOPE_FORM", "a scope is global"),
        (("remember", "a", "x", "--link", "builds-on"), "INVALID", "type:name"),
        (("remember", "a", "x", "--link", "likes:b"), "INVALID", "no such link type: 'likes'"),
        (("remember", "a", "x", "--expires", "soon"), "INVALID", "soon"),
        (("get", "not-there"), "NOT_FOUND", "no memory not-there"),
        (("update", "not-there", "-d", "x"), "NOT_FOUND", "no memory not-there"),
        (("forget", "not-there"), "NOT_FOUND", "no memory not-there"),
        (("history", "not-there"), "NOT_FOUND", "no memory not-there"),
        (("restore", "not-there"), "NOT_FOUND", "no memory not-there"),
        (("list", "-t", "poem"), "INVALID", "no such type: 'poem'"),
        (("list", "--limit", "0"), "INVALID", "limit must be"),
        (("recall", "x", "--threshold", "7"), "INVALID", "threshold"),
        (("alias", "global", "host:x"), "INVALID", "global"),
        (("call", "recall", "{"), "INVALID", "not JSON"),
        (("call", "recall", "[1]"), "INVALID", "JSON object"),
        (("call", "recall", '{"question": "x"}'), "INVALID", "unknown argument 'question'"),
        (("call", "../healthz", "{}"), "UNKNOWN_OPERATION", "no operation '../healthz'"),
        (("call", "a\r\nb", "{}"), "UNKNOWN_OPERATION", "no operation"),
        (("help", "nothing"), "INVALID", "topics are"),
        (("config", "get", "colour"), "INVALID", "a setting is one of url"),
        (("config", "set", "url", "ftp://x"), "INVALID", "must be an address"),
        (("config", "set", "timeout", "never"), "INVALID", "seconds"),
        (("--url", "http://me:secret@x", "list"), "INVALID", "must not hold"),
        (("--project", "https://me:secret@/", "list"), "INVALID", "give host/owner/repo"),
    ],
)
def test_a_bad_value_is_refused(cli: Cli, words: tuple[str, ...], code: str, says: str) -> None:
    done = cli(*words, code=1)
    assert done.err.startswith(f"error {code}: "), done
    assert says in done.err
    assert len(done.err.splitlines()) == 1
    assert "secret" not in done.err
    if words[0] != "call":
        assert done.raw == b""
    assert json.loads(cli(*words, "--json", code=1).out)["error"]["code"] == code


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nonsense",), "No such command 'nonsense'"),
        (("rember",), "Did you mean 'remember'"),
        (("get",), "Missing argument 'name'"),
        (("get", "a", "--version", "two"), "must be a whole number, not 'two'"),
        (("recall",), "Missing argument 'query'"),
        (("recall", "x", "--threshold", "high"), "must be a number"),
        (("list", "--bogus"), "No such option: --bogus"),
        (("update", "a"), "nothing to change"),
        (("rename", "a"), "Missing argument"),
        (("config", "get"), "config get NAME"),
        (("config", "set", "url"), "config set NAME VALUE"),
        (("config", "burn", "url"), "config get NAME"),
        (("get", "a", "b"), "unexpected extra argument"),
    ],
)
def test_a_wrong_command_line_exits_with_2_and_points_to_the_help(
    cli: Cli, words: tuple[str, ...], says: str
) -> None:
    done = cli(*words, code=2)
    assert done.err.startswith("error USAGE: ")
    assert says.lower() in done.err.lower()
    assert "--help" in done.err
    assert cli(*words, "--json", code=2).json["error"]["code"] == "USAGE"


def test_a_body_comes_from_the_argument_a_dash_or_a_pipe(cli: Cli) -> None:
    cli.remember("a", "One", "From the argument")
    cli("remember", "b", "Two", "-", stdin=b"From a dash\n")
    cli("remember", "c", "Three", stdin=b"From a pipe\n")
    cli("update", "a", "--body", "-", stdin=b"Again\n")
    bodies = [cli("get", name, "--json").json["body"] for name in "abc"]
    assert bodies == ["Again\n", "From a dash\n", "From a pipe\n"]


def test_a_body_is_never_changed_or_it_is_refused(cli: Cli) -> None:
    text = "tab\t CRLF\r\n שלום 漢字 e\u0301 \u202e \U0001f9d1\u200d\U0001f52c\n\n"
    cli("remember", "a", "One", "-", stdin=text.encode())
    assert cli("get", "a", "--body").raw == text.encode()
    for stdin, code in (
        (b"x" * 16385, "TOO_LARGE"),
        (b"a\0b", "INVALID"),
        (b"\xff\xfe", "INVALID"),
    ):
        done = cli("remember", "b", "Two", "-", stdin=stdin, code=1)
        assert done.err.startswith(f"error {code}: ")
    cli("get", "b", code=1)


def test_a_word_that_looks_like_an_option_can_be_given_after_two_dashes(cli: Cli) -> None:
    cli("remember", "a", "--", "--json is an option", "-x")
    assert cli("get", "a", "--json").json["description"] == "--json is an option"


@pytest.mark.parametrize("query", ['"unbalanced', "NEAR(", "***", "name:x", " ", "-- -x"])
def test_no_query_is_syntax(cli: Cli, query: str) -> None:
    assert "matches" in cli("recall", "--json", "--", query).json
