"""TOML: one table in, one table out, and every other byte as it was."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.clients.connect.formats import toml_edit
from commonplace.clients.connect.formats.base import Malformed, find

PATH = ("mcp_servers", "commonplace")
ENTRY = {"url": "http://127.0.0.1:9322/mcp", "http_headers": {"X-Host": "a b", "é": "\u2028"}}
PIECES = (
    "",
    "# a comment [mcp_servers.commonplace]",
    "[mcp_servers.other]\ncommand = 'x' # why",
    "[[list]]\na = 1\n\n[[list]]\na = 2",
    'text = """\n[mcp_servers.commonplace]\nurl = 1\n"""',
    "many = [\n  1, # one\n  2,\n]",
    "[projects.'/a b']\ntrust = true",
    "[mcp_servers]",
    "[x.y]\nmcp_servers.commonplace = 1",
    "u = 'a\u2028b\x85'",
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=5, unique=True),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", "\n\n"]),
    st.booleans(),
)
def test_putting_a_table_in_and_dropping_it_gives_the_same_bytes(
    pieces: list[str], eol: str, end: str, bom: bool
) -> None:
    bare = "\n".join(pieces) + end
    text = ("\ufeff" if bom else "") + bare.replace("\n", eol)
    try:
        tomllib.loads(bare)
    except tomllib.TOMLDecodeError:
        with pytest.raises(Malformed):
            toml_edit.put(text, PATH, ENTRY)
        return
    changed, made = toml_edit.put(text, PATH, ENTRY)
    assert made == []
    assert changed.startswith(text)
    assert find(tomllib.loads(changed.removeprefix("\ufeff").replace("\r\n", "\n")), PATH) == ENTRY
    assert toml_edit.put(changed, PATH, ENTRY) == (changed, [])
    assert toml_edit.drop(changed, PATH) == text


def test_a_table_is_changed_in_place_and_keeps_what_others_added() -> None:
    text = (
        "[mcp_servers.commonplace]\n# mine\nurl = 'old' # here\ncommand = 'npx'\n"
        "tool_timeout_sec = 30\n\n[mcp_servers.commonplace.tools.recall]\nmode = 'approve'\n\n"
        "[other]\na = 1\n"
    )
    changed, _ = toml_edit.put(text, PATH, {"url": "new", "h": {"a": "b"}}, [("command",)])
    assert changed == (
        '[mcp_servers.commonplace]\n# mine\nurl = "new"\ntool_timeout_sec = 30\n'
        "h = { a = \"b\" }\n\n[mcp_servers.commonplace.tools.recall]\nmode = 'approve'\n\n"
        "[other]\na = 1\n"
    )
    assert tomllib.loads(toml_edit.drop(changed, PATH)) == {"other": {"a": 1}}


def test_an_entry_of_one_line_is_taken_out_whole() -> None:
    text = "[mcp_servers]\na = { url = 'x' }\ncommonplace = { url = 'y' }\nb = {}\n"
    assert toml_edit.drop(text, PATH) == "[mcp_servers]\na = { url = 'x' }\nb = {}\n"


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = { other = { url = 'x' } }\n",
        "mcp_servers.commonplace.url = 'y'\n",
        "[mcp_servers]\ncommonplace = 1\n",
    ],
)
def test_a_form_that_cannot_be_edited_safely_is_refused(text: str) -> None:
    with pytest.raises(Malformed, match="edit the file by hand"):
        toml_edit.put(text, PATH, ENTRY)


def test_a_text_that_is_no_toml_is_refused_with_its_place() -> None:
    with pytest.raises(Malformed) as raised:
        toml_edit.read("a = 1\nb = [\n")
    assert raised.value.line >= 2
    with pytest.raises(Malformed) as raised:
        toml_edit.read("a = 1\nb == 2\n")
    assert (raised.value.line, raised.value.column) == (2, 4)
