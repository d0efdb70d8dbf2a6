"""JSON with comments: one entry in, one entry out, and every other byte as it was."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from commonplace.clients.connect.formats import json_edit
from commonplace.clients.connect.formats.base import Malformed, find

BLANKS = ("", "", " ", "\n", "\n  ", "\n\t", "\r\n    ", "\n\n", "  \n")
COMMENTS = ('// a, "b": {\n', "/* } , */", "/**/", "// x\r\n", "/* // */ ")
KEYS = st.text(max_size=5) | st.sampled_from(["a", "mcpServers", "é", '"', "//"])
PLAIN = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=6)
    | st.floats(allow_nan=False, allow_infinity=False)
)
PATHS = st.lists(st.sampled_from(["mcpServers", "a", "b"]), min_size=1, max_size=3).map(
    lambda names: (*names, "commonplace\u00b7")
)
ENTRY = {"type": "http", "url": "http://127.0.0.1:9322/mcp", "headers": {"X-A": "b", "é": []}}


@st.composite
def blanks(draw: st.DrawFn) -> str:
    return "".join(draw(st.lists(st.sampled_from(BLANKS + COMMENTS), max_size=3)))


@st.composite
def documents(draw: st.DrawFn, depth: int = 0) -> str:
    """Return a JSON text with blanks, comments and trailing commas wherever they may stand."""
    kind = draw(st.sampled_from(["object", "object", "array", "plain"])) if depth else "object"
    if kind == "plain" or depth > 3:
        return json.dumps(draw(PLAIN), ensure_ascii=draw(st.booleans()))
    parts: list[str] = []
    keys = draw(st.lists(KEYS, max_size=4, unique=True))
    for key in keys:
        name = f"{json.dumps(key)}{draw(blanks())}:{draw(blanks())}" if kind == "object" else ""
        parts.append(draw(blanks()) + name + draw(documents(depth + 1)) + draw(blanks()))
    inner = ",".join(parts) or draw(blanks())
    if parts and draw(st.booleans()):
        inner += "," + draw(blanks())
    opening, closing = ("{", "}") if kind == "object" else ("[", "]")
    text = opening + inner + closing
    if not depth:
        bom = draw(st.sampled_from(["", "", "\ufeff"]))
        text = bom + draw(blanks()) + text + draw(blanks())
    return text


def strict(text: str) -> object:
    """Return the value by way of the standard library: an opinion that owes the scanner nothing."""
    token = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\r\n]*|/\*.*?\*/', re.S)
    bare = token.sub(lambda m: m[0] if m[0].startswith('"') else " ", text.removeprefix("\ufeff"))
    loose = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.S)
    return json.loads(loose.sub(lambda m: m[1] or "", bare))


@settings(max_examples=50, deadline=None)
@given(documents())
def test_reading_agrees_with_the_standard_library(text: str) -> None:
    assert json_edit.read(text) == strict(text)


@settings(max_examples=50, deadline=None)
@given(documents(), PATHS)
@example("{}", ("mcpServers", "c"))
@example("{\n}", ("c",))
@example("{ }\n", ("a", "c"))
@example('{"a": {"b": 1} // last\n}', ("c",))
@example('{"a": 1 /* last */}', ("c",))
@example("{// x\r\n }", ("a", "c"))
@example('{\r\n\t"a": {\r\n\t},\r\n}', ("a", "c"))
def test_putting_an_entry_in_and_dropping_it_gives_the_same_bytes(
    text: str, path: tuple[str, ...]
) -> None:
    before = strict(text)
    try:
        changed, made = json_edit.put(text, path, ENTRY)
    except Malformed:
        assert any(not isinstance(find(before, path[:n]), dict) for n in range(1, len(path)))
        return
    assert find(strict(changed), path) == ENTRY
    assert json_edit.put(changed, path, ENTRY) == (changed, [])
    dropped = json_edit.drop(changed, path)
    for container in reversed(made):
        dropped = json_edit.prune(dropped, container)
    assert dropped == text


@settings(max_examples=50, deadline=None)
@given(documents(), st.integers(0, 3))
def test_an_item_put_at_the_end_of_a_list_comes_out_again(text: str, others: int) -> None:
    base = text
    for number in range(others):
        base, _ = json_edit.put(base, ("·hooks", "Start", number), {"n": number})
    changed, made = json_edit.put(base, ("·hooks", "Start", others), ENTRY)
    assert find(strict(changed), ("·hooks", "Start", others)) == ENTRY
    dropped = json_edit.drop(changed, ("·hooks", "Start", others))
    for container in reversed(made):
        dropped = json_edit.prune(dropped, container)
    assert dropped == base


@settings(max_examples=50, deadline=None)
@given(documents())
def test_another_member_can_be_dropped_without_harm_to_the_rest(text: str) -> None:
    value = strict(text)
    assert isinstance(value, dict)
    for key in value:
        rest = {name: held for name, held in value.items() if name != key}
        assert strict(json_edit.drop(text, (key,))) == rest


@given(st.text(alphabet='{}[]",:/* \n1a\\', max_size=30))
def test_a_text_is_read_as_json_or_refused_with_a_place(text: str) -> None:
    try:
        json_edit.read(text)
    except Malformed as error:
        place = (error.line, error.column)
    else:
        place = (1, 1)
    assert min(place) >= 1


def test_an_entry_takes_the_files_own_indentation_and_line_ends() -> None:
    text = '{\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}\r\n'
    changed, _ = json_edit.put(text, ("mcpServers", "x"), {"u": [1]})
    assert changed == (
        '{\r\n\t"a": {\r\n\t\t"b": 1\r\n\t},\r\n\t"mcpServers": {\r\n\t\t"x": {\r\n\t\t\t"u": ['
        "\r\n\t\t\t\t1\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}\r\n"
    )


def test_comments_keep_their_place_beside_what_they_explain() -> None:
    text = '{\n  // servers\n  "s": {\n    "other": 1 // keep me\n    // "old": 2\n  }\n}\n'
    changed, _ = json_edit.put(text, ("s", "x"), 2)
    assert changed == (
        '{\n  // servers\n  "s": {\n    "other": 1, // keep me\n'
        '    // "old": 2\n    "x": 2\n  }\n}\n'
    )


def test_a_one_line_file_stays_one_line() -> None:
    assert json_edit.put('{"a":{"b":1}}', ("a", "x"), {"u": 1})[0] == '{"a":{"b":1,"x":{"u":1}}}'
    assert json_edit.put('{"a": {}}', ("a", "x"), 1)[0] == '{"a": {"x": 1}}'


def test_an_entry_that_changed_keeps_its_comments_and_what_others_added() -> None:
    text = (
        '{"s": {\n  "x": {\n    "url": "old", // mine\n'
        '    "command": "npx",\n    "extra": true\n  }\n}}'
    )
    changed, made = json_edit.put(text, ("s", "x"), {"url": "new"}, [("command",)])
    assert changed == '{"s": {\n  "x": {\n    "url": "new", // mine\n    "extra": true\n  }\n}}'
    assert made == []


def test_an_empty_file_gets_its_root_and_loses_it_again() -> None:
    for text in ("", "\n", "// mine\n"):
        changed, made = json_edit.put(text, ("s", "x"), 1)
        dropped = json_edit.drop(changed, ("s", "x"))
        for container in reversed(made):
            dropped = json_edit.prune(dropped, container)
        assert dropped == text


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', 3, 3),
        ('{"a": 1', 1, 8),
        ('{"a": tru}', 1, 7),
        ("{'a': 1}", 1, 2),
        ('{"a": 01}', 1, 7),
        ('{"a": 1} x', 1, 10),
        ('{"a": "\n"}', 1, 7),
        ("[" * 5000, 1, 201),
        ('{"s": 1, "s": 2}', 1, 10),
        ('{"s": [1]}', 1, 7),
    ],
)
def test_a_text_that_cannot_be_edited_is_refused_with_its_place(
    text: str, line: int, column: int
) -> None:
    with pytest.raises(Malformed) as raised:
        json_edit.put(text, ("s", "x"), 1)
    assert (raised.value.line, raised.value.column) == (line, column)
