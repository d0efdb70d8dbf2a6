"""Puts one entry into a JSON file with comments, or takes it out; every other byte stays.

What `put` inserts, `drop` takes out again to the last byte: a new member goes behind the last
thing in its container, and an empty container's own blanks stay in front of it. Each outcome is
read again and compared, so that a slip here can never reach a file.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from commonplace.clients.connect.formats.base import (
    Malformed,
    Path,
    end_of_line,
    find,
    merged,
    place,
)
from commonplace.clients.connect.formats.jsonc import Member, Node, parse
from commonplace.clients.light_json import is_array, is_object


def read(text: str) -> Any:
    """Return the document's value; None for an empty document. Raises: Malformed."""
    root = parse(text)
    return None if root is None else root.value()


def put(text: str, path: Path, value: Any, stale: Sequence[Path] = ()) -> tuple[str, list[Path]]:
    """Return the text with the value at the path, and the containers made on the way.

    Raises: Malformed.
    """
    old = read(text)
    changed, made = _put(text, path, value, stale)
    _prove(text, changed, _with(old, path, value, stale))
    return changed, made


def drop(text: str, path: Path) -> str:
    """Return the text without the member or item at the path. Raises: Malformed."""
    old = read(text)
    changed = _drop(text, path)
    _prove(text, changed, _without(old, path))
    return changed


def prune(text: str, path: Path) -> str:
    """Return the text without the container at the path, if not even a comment is left in it."""
    node = _at(text, path)
    if node is None or node.kind == "scalar" or node.members or node.tail > node.start + 1:
        return text
    if path:
        return drop(text, path)
    return text[: node.start] if not text[node.end :].strip() else text


def _put(text: str, path: Path, value: Any, stale: Sequence[Path]) -> tuple[str, list[Path]]:
    root = parse(text)
    if root is None:
        eol = end_of_line(text)
        made = [path[:length] for length in range(len(path))]
        return text + _dump(_nested(path, value), "  ", eol, "") + eol, made
    node = root
    for depth, part in enumerate(path):
        member = _member(text, node, part)
        if member is None:
            rest = path[depth + 1 :]
            made = [path[: depth + 1 + length] for length in range(len(rest))]
            return _insert(text, root, node, part, _nested(rest, value)), made
        node = member.node
    return _merge(text, path, node, value, stale), []


def _merge(text: str, path: Path, node: Node, value: Any, stale: Sequence[Path]) -> str:
    if node.value() == merged(node.value(), value, stale):
        return text
    if node.kind != "object" or not is_object(value):
        return text[: node.start] + _rendered(text, node, value) + text[node.end :]
    for rest in stale:
        if find(value, rest) is None and _at(text, path + rest) is not None:
            text = _drop(text, path + rest)
    for key, held in value.items():
        text, _ = _put(text, (*path, key), held, ())
    return text


def _drop(text: str, path: Path) -> str:
    parent = _at(text, path[:-1])
    member = _member(text, parent, path[-1]) if parent else None
    if parent is None or member is None:
        return text
    start, end = member.before, member.node.end
    if member.comma is not None:
        end = member.comma + 1
    if len(parent.members) == 1:
        start, end = _only(text, parent, member, end)
    if member.needs_break and start == member.before and text[end : end + 1] not in {"\r", "\n"}:
        start = text.index("\n", member.before) + 1
    at = parent.members.index(member)
    comma = parent.members[at - 1].comma if at and member.comma is None else None
    if comma is None:
        return text[:start] + text[end:]
    if comma + 1 == start:
        start = comma
        return text[:start] + text[end:]
    return text[:comma] + text[comma + 1 : start] + text[end:]


def _only(text: str, parent: Node, member: Member, end: int) -> tuple[int, int]:
    """Return the span of a container's only member, with the line breaks `_insert` gave it."""
    start, closing = member.start, parent.end - 1
    line = _last_break(text, member.before, start)
    if not text[end:closing].strip() and _last_break(text, end, closing) == end:
        end = closing
    return (start if line is None else line), end


def _insert(text: str, root: Node, node: Node, part: str | int, value: Any) -> str:
    if node.kind == "scalar" or isinstance(part, int) != (node.kind == "array"):
        what = "a list" if isinstance(part, int) else "an object"
        raise Malformed(f"{what} was expected here", *place(text, node.start))
    eol = end_of_line(text)
    key = "" if isinstance(part, int) else json.dumps(part, ensure_ascii=False)
    if not _is_spread(text, root, node):
        colon = ": " if '": ' in text or not root.members else ":"
        shown = json.dumps(value, ensure_ascii=False, separators=(colon.replace(":", ","), colon))
        return _spliced(text, node, f"{key}{colon}{shown}" if key else shown, " " * len(colon[1:]))
    indent = _child_indent(text, root, node)
    shown = _dump(value, _unit(text, root), eol, indent)
    entry = f"{key}: {shown}" if key else shown
    closing = eol + _line_indent(text, node.start)
    return _spliced(text, node, entry, eol + indent, closing)


def _spliced(text: str, node: Node, entry: str, gap: str, closing: str = "") -> str:
    if not node.members:
        end = node.end - 1
        return text[:end] + (gap if closing else "") + entry + closing + text[end:]
    last = node.members[-1]
    if last.comma is not None:
        return text[: node.tail] + gap + entry + "," + text[node.tail :]
    behind = last.node.end
    return text[:behind] + "," + text[behind : node.tail] + gap + entry + text[node.tail :]


def _is_spread(text: str, root: Node, node: Node) -> bool:
    """Say whether a container's members stand on lines of their own."""
    if "\n" in text[node.tail : node.end]:
        return True
    if node.members:
        return "\n" in text[node.start : node.members[0].start]
    return not root.members or "\n" in text[root.start : root.end]


def _child_indent(text: str, root: Node, node: Node) -> str:
    for member in node.members[:1]:
        start = text.rfind("\n", 0, member.start) + 1
        if not text[start : member.start].strip(" \t"):
            return text[start : member.start]
    return _line_indent(text, node.start) + _unit(text, root)


def _unit(text: str, root: Node) -> str:
    for member in root.members[:1]:
        start = text.rfind("\n", 0, member.start) + 1
        blank = text[start : member.start]
        outer = _line_indent(text, root.start)
        if start and blank and not blank.strip(" \t") and blank.startswith(outer):
            return blank[len(outer) :] or "  "
    return "  "


def _line_indent(text: str, offset: int) -> str:
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:offset].lstrip("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def _last_break(text: str, start: int, end: int) -> int | None:
    """Return where the last line break between two offsets begins."""
    at = text.rfind("\n", start, end)
    if at < 0:
        return None
    return at - 1 if at > start and text[at - 1] == "\r" else at


def _rendered(text: str, node: Node, value: Any) -> str:
    root = parse(text)
    if root is None or "\n" not in text[root.start : root.end]:
        return json.dumps(value, ensure_ascii=False)
    indent = _line_indent(text, node.start)
    return _dump(value, _unit(text, root), end_of_line(text), indent)


def _dump(value: Any, unit: str, eol: str, indent: str) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=unit).split("\n")
    return (eol + indent).join(lines)


def _at(text: str, path: Path) -> Node | None:
    node = parse(text)
    for part in path:
        member = _member(text, node, part) if node else None
        if member is None:
            return None
        node = member.node
    return node


def _member(text: str, node: Node, part: str | int) -> Member | None:
    if isinstance(part, int):
        in_list = node.kind == "array" and part < len(node.members)
        return node.members[part] if in_list else None
    found = [member for member in node.members if member.key == part]
    if len(found) > 1:
        what = f"{json.dumps(part)} stands here a second time; keep one"
        raise Malformed(what, *place(text, found[1].start))
    return found[0] if found else None


def _nested(path: Path, value: Any) -> Any:
    for part in reversed(path):
        value = [value] if isinstance(part, int) else {part: value}
    return value


def _with(old: Any, path: Path, value: Any, stale: Sequence[Path]) -> Any:
    if not path:
        return merged(old, value, stale)
    part, rest = path[0], path[1:]
    if isinstance(part, int):
        items: list[Any] = list(old or [])
        if part < len(items):
            items[part] = _with(items[part], rest, value, stale)
            return items
        return [*items, _with(None, rest, value, stale)]
    held: dict[str, Any] = dict(old or {})
    return {**held, part: _with(held.get(part), rest, value, stale)}


def _without(old: Any, path: Path) -> Any:
    part, rest = path[0], path[1:]
    if isinstance(part, int):
        if not is_array(old) or part >= len(old):
            return old
        below = [_without(old[part], rest)] if rest else []
        return [*old[:part], *below, *old[part + 1 :]]
    if not is_object(old) or part not in old:
        return old
    if rest:
        return {**old, part: _without(old[part], rest)}
    return {key: held for key, held in old.items() if key != part}


def _prove(before: str, after: str, expected: Any) -> None:
    try:
        sound = read(after) == expected
    except Malformed:
        sound = False
    if not sound:
        line, column = place(before, len(before))
        raise Malformed("this file's form cannot be edited safely; edit it by hand", line, column)
