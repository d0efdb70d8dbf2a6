"""YAML: one entry in, one entry out, and every other byte as it was."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.clients.connect.formats import yaml_edit
from commonplace.clients.connect.formats.base import Malformed, find

PATH = ("extensions", "commonplace")
ENTRY = {
    "enabled": True,
    "uri": "http://127.0.0.1:9322/mcp",
    "headers": {"X-A": "b: c #", "Authorization": "Bearer ${T}"},
    "env_keys": ["T"],
    "timeout": 60,
    "description": "Memory: yes",
}
PIECES = (
    "# a comment",
    "GOOSE_MODE: auto  # mode",
    "text: |\n  extensions:\n    commonplace: 1\n",
    "list:\n- a\n- b: c",
    "quoted: 'a # b'",
    "empty:",
    "",
)
PARENTS = (
    None,
    "extensions:",
    "extensions: # none yet",
    "extensions:\n  developer:\n    enabled: true\n    name: developer",
    "extensions:\n    # built in\n    developer:\n        enabled: true # on\n\n    # last",
    "extensions:\n  a: {type: builtin, enabled: false}",
    "extensions:\n  a:\n    note: |\n      lines\n      of text",
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=3, unique=True),
    st.sampled_from(PARENTS),
    st.lists(st.sampled_from(PIECES), max_size=2, unique=True),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", "\n\n"]),
)
def test_putting_an_entry_in_and_dropping_it_gives_the_same_bytes(
    above: list[str], parent: str | None, below: list[str], eol: str, end: str
) -> None:
    pieces = [*above, *([parent] if parent else []), *(p for p in below if p not in above)]
    text = ("\n".join(pieces) + end).replace("\n", eol)
    changed, made = yaml_edit.put(text, PATH, ENTRY)
    assert find(yaml.safe_load(changed), PATH) == ENTRY
    assert yaml_edit.put(changed, PATH, ENTRY) == (changed, [])
    dropped = yaml_edit.drop(changed, PATH)
    for container in made:
        dropped = yaml_edit.prune(dropped, container)
    assert dropped == text


def test_an_entry_is_changed_in_place_and_keeps_what_others_added() -> None:
    text = (
        "extensions:\n  a:\n    x: 1\n  commonplace:\n    uri: old\n    cmd: npx\n"
        "    available_tools:\n    - recall\n  z:\n    y: 2 # z\n"
    )
    changed, _ = yaml_edit.put(text, PATH, {"uri": "new", "n": 1}, [("cmd",)])
    assert changed == (
        "extensions:\n  a:\n    x: 1\n  commonplace:\n    uri: new\n"
        '    available_tools: ["recall"]\n    n: 1\n  z:\n    y: 2 # z\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        "extensions: {a: {b: 1}}\n",
        "extensions: 1\n",
        "{extensions: {}}\n",
        "a: 1\n---\nb: 2\n",
        "a: [1\n",
        "- extensions\n",
        "extensions: {commonplace: {a: 1}}\n",
        "a: !!python/object:os.system {}\n",
    ],
)
def test_a_text_that_cannot_be_edited_safely_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        yaml_edit.put(text, PATH, ENTRY)
