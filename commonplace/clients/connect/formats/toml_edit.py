"""Puts one table into a TOML file, or takes it out; every other byte stays.

Statements are told apart by asking `tomllib` how many lines each one takes, and each outcome is
read again and compared.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import tomli_w

from commonplace.clients.connect.formats.base import Malformed, Path, end_of_line, find, merged
from commonplace.clients.light_json import is_array, is_object


@dataclass(frozen=True, slots=True)
class _Statement:
    """Some lines of the text: a table's header, or one key with its value."""

    table: Path
    keys: Path
    start: int
    end: int


def read(text: str) -> Any:
    """Return the document's value. Raises: Malformed."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise _malformed(text, error) from None


def put(text: str, path: Path, value: Any, stale: Sequence[Path] = ()) -> tuple[str, list[Path]]:
    """Return the text with the table at the path; a new one goes to the end of the file.

    Raises: Malformed, where the table is there in a form that only an editor can change.
    """
    old = find(read(text), path)
    wanted = merged(old, value, stale)
    if wanted == old:
        return text, []
    changed = _append(text, path, wanted) if old is None else _update(text, path, old, wanted)
    _prove(text, changed, path, wanted)
    return changed, []


def drop(text: str, path: Path) -> str:
    """Return the text without the table at the path and the tables below it. Raises: Malformed."""
    if find(read(text), path) is None:
        return text
    changed = text
    for each in reversed(_statements(text)):
        if (each.table + each.keys)[: len(path)] == path:
            start = each.start if each.keys else _with_blank(text, each.start)
            changed = changed[:start] + changed[each.end :]
    _prove(text, changed, path, None)
    return changed


def prune(text: str, path: Path) -> str:  # noqa: ARG001 - the formats' one signature
    """Return the text as it is: TOML needs no container around a table."""
    return text


def _append(text: str, path: Path, value: dict[str, Any]) -> str:
    eol = end_of_line(text)
    lines = [f"[{'.'.join(_key(part) for part in path)}]"]
    lines += [_pair(key, held) for key, held in value.items()]
    gap = eol if text.strip("\ufeff") else ""
    return text + gap + eol.join(lines) + eol


def _update(text: str, path: Path, old: dict[str, Any], wanted: dict[str, Any]) -> str:
    eol = end_of_line(text)
    own = [each for each in _statements(text) if each.table == path]
    if not own:
        raise _refusal(text)
    end = own[-1].end
    added = [_pair(key, held) + eol for key, held in wanted.items() if key not in old]
    if added and not text[:end].endswith("\n"):
        added.insert(0, eol)
    changed = text[:end] + "".join(added) + text[end:]
    for each in reversed(own):
        key = each.keys[0] if each.keys else None
        if key is None or wanted.get(str(key)) == old.get(str(key)):
            continue
        line = _pair(str(key), wanted[str(key)]) + eol if key in wanted else ""
        changed = changed[: each.start] + line + changed[each.end :]
    return changed


def _statements(text: str) -> list[_Statement]:
    found: list[_Statement] = []
    table: Path = ()
    start = 1 if text.startswith("\ufeff") else 0
    end = start
    # Not splitlines, which would break at characters that end no line in TOML.
    for line in text[start:].split("\n"):
        end = min(end + len(line) + 1, len(text))
        keys = _keys(text[start:end])
        if keys is None:
            continue
        if text[start:end].lstrip(" \t").startswith("["):
            table = keys
            found.append(_Statement(table, (), start, end))
        elif keys:
            found.append(_Statement(table, keys, start, end))
        start = end
    return found


def _keys(lines: str) -> Path | None:
    """Return the keys of a statement, () for blanks and comments, None when it goes on."""
    try:
        value: Any = tomllib.loads(lines.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError:
        return None
    keys: list[str | int] = []
    header = lines.lstrip(" \t").startswith("[")
    while is_object(value) and len(value) == 1:
        ((key, value),) = value.items()
        keys.append(key)
        if is_array(value) and header:
            value = value[0]
    return tuple(keys)


def _with_blank(text: str, start: int) -> int:
    """Return where a table's lines begin, with the one line end that `_append` put before them."""
    if text[:start].endswith("\r\n"):
        return start - 2
    return start - 1 if text[:start].endswith("\n") else start


def _key(part: str | int) -> str:
    return tomli_w.dumps({str(part): 0}).partition(" = ")[0]


def _pair(key: str, value: Any) -> str:
    if is_object(value):
        inner = ", ".join(_pair(name, held) for name, held in value.items())
        return f"{_key(key)} = {{ {inner} }}" if inner else f"{_key(key)} = {{}}"
    if is_array(value):
        items = ", ".join(_pair("x", item).partition(" = ")[2] for item in value)
        return f"{_key(key)} = [{items}]"
    return tomli_w.dumps({key: value}).rstrip("\n")


def _prove(before: str, after: str, path: Path, wanted: Any) -> None:
    """Hold that the text changed at the path, and nowhere else."""
    try:
        old, new = read(before), read(after)
    except Malformed:
        raise _refusal(before) from None
    if find(new, path) != wanted or _apart(old, path) != _apart(new, path):
        raise _refusal(before)


def _apart(value: Any, path: Path) -> Any:
    """Return the value without what is at the path, and without the tables empty for it."""
    if not is_object(value):
        return value
    rest = {key: held for key, held in value.items() if key != path[0]}
    if len(path) > 1 and path[0] in value:
        below = _apart(value[path[0]], path[1:])
        if below != {}:
            rest[str(path[0])] = below
    return rest


def _refusal(text: str) -> Malformed:
    line = text.count("\n") + 1
    return Malformed("its form cannot be edited safely; edit the file by hand", line, 1)


def _malformed(text: str, error: tomllib.TOMLDecodeError) -> Malformed:
    what, _, at = str(error).rpartition(" (at ")
    words = [word.strip(",)") for word in at.split()]
    numbers = [int(word) for word in words if word.isdigit()]
    line, column = numbers if len(numbers) == 2 else (text.count("\n") + 1, 1)
    return Malformed(what or "not TOML", line, column)
