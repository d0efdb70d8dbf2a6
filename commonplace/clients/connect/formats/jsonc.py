"""Reads JSON with comments and trailing commas into a tree that knows where everything stands."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal

from commonplace.clients.connect.formats.base import Malformed, place

_BLANK = re.compile(r"[ \t\r\n]+")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.S)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"')
_WORD = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORD_END = re.compile(r"[\w.+-]")
_DEEPEST = 200
_BOM = "\ufeff"


@dataclass(slots=True)
class Node:
    """A value in the text; `tail` is where the last thing before a closing bracket ends.

    Units: offsets in characters; `end` is behind the last one.
    """

    kind: Literal["object", "array", "scalar"]
    start: int
    end: int = 0
    tail: int = 0
    plain: Any = None
    members: list[Member] = field(default_factory=lambda: [])

    def value(self) -> Any:
        """Return the plain value; of members with the same key the last one counts."""
        if self.kind == "object":
            return {member.key: member.node.value() for member in self.members}
        if self.kind == "array":
            return [member.node.value() for member in self.members]
        return self.plain


@dataclass(slots=True)
class Member:
    """A member of an object or an array: from its key (or value) on, with the comma behind it.

    `before` is where the last thing ahead of it ends, be that a bracket, a comma or a comment;
    `needs_break` says that it is a comment which only the line's end ends.
    """

    key: str | None
    before: int
    start: int
    node: Node
    comma: int | None = None
    needs_break: bool = False


def parse(text: str) -> Node | None:
    """Return the document's root; None when it holds nothing but blanks and comments.

    Raises: Malformed.
    """
    return _Scanner(text).document()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 1 if text.startswith(_BOM) else 0
        self._last = self._at
        self._line_comment_end = -1

    def document(self) -> Node | None:
        self._skip()
        if self._at == len(self._text):
            return None
        root = self._value(0)
        self._skip()
        if self._at < len(self._text):
            raise self._wrong("something follows the document's end")
        return root

    def _skip(self) -> None:
        """Pass blanks and comments; `_last` stays behind the last thing that is no blank."""
        while True:
            blank = _BLANK.match(self._text, self._at)
            if blank:
                self._at = blank.end()
            comment = _COMMENT.match(self._text, self._at)
            if comment is None:
                return
            self._at = self._last = comment.end()
            if comment[0].startswith("//"):
                self._line_comment_end = self._at

    def _value(self, depth: int) -> Node:
        char = self._text[self._at : self._at + 1]
        if char in {"{", "["}:
            if depth >= _DEEPEST:
                raise self._wrong("nested too deep")
            return self._container("object" if char == "{" else "array", depth)
        found = (_STRING if char == '"' else _WORD).match(self._text, self._at)
        if found is None or (char != '"' and _WORD_END.match(self._text, found.end())):
            raise self._wrong("no JSON value" if char else "the file ends too early")
        node = Node("scalar", self._at, found.end(), plain=json.loads(found[0]))
        self._pass(found.end())
        return node

    def _container(self, kind: Literal["object", "array"], depth: int) -> Node:
        node = Node(kind, self._at)
        closing = "}" if kind == "object" else "]"
        self._pass(self._at + 1)
        while True:
            self._skip()
            if self._text.startswith(closing, self._at):
                break
            if node.members and node.members[-1].comma is None:
                raise self._wrong(f"a comma or {closing} is missing")
            node.members.append(self._member(kind, depth))
            self._skip()
            if self._text.startswith(",", self._at):
                node.members[-1].comma = self._at
                self._pass(self._at + 1)
        node.tail = self._last
        self._pass(self._at + 1)
        node.end = self._at
        return node

    def _member(self, kind: str, depth: int) -> Member:
        before, start = self._last, self._at
        needs_break = before == self._line_comment_end
        key = None
        if kind == "object":
            found = _STRING.match(self._text, self._at)
            if found is None:
                raise self._wrong("a name in quotes is missing")
            key = json.loads(found[0])
            self._pass(found.end())
            self._skip()
            if not self._text.startswith(":", self._at):
                raise self._wrong("a colon is missing")
            self._pass(self._at + 1)
            self._skip()
        node = self._value(depth + 1)
        return Member(key, before, start, node, needs_break=needs_break)

    def _pass(self, to: int) -> None:
        self._at = self._last = to

    def _wrong(self, what: str) -> Malformed:
        return Malformed(what, *place(self._text, self._at))
