"""Puts one entry into a block of a YAML file, or takes it out; every other byte stays.

The parser tells where nodes begin and end, the lines are spliced, and each outcome is read again
and compared. A new entry goes right below its parent's line, a new parent to the end of the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, cast

import yaml

from commonplace.clients.connect.formats.base import Malformed, Path, end_of_line, find, merged
from commonplace.clients.light_json import is_array, is_object

_STEP = "  "
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def read(text: str) -> Any:
    """Return the document's value; None for an empty document. Raises: Malformed."""
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise _malformed(text, error) from None
    except (ValueError, RecursionError):
        raise Malformed("not YAML that can be read", text.count("\n") + 1, 1) from None


def put(text: str, path: Path, value: Any, stale: Sequence[Path] = ()) -> tuple[str, list[Path]]:
    """Return the text with the entry at the path (parent and name), and the containers made.

    Raises: Malformed, where the parent is there in a form that only an editor can change.
    """
    parent, name = (str(part) for part in path)
    document = read(text)
    old = find(document, path)
    wanted = merged(old, value, stale)
    if wanted == old:
        return text, []
    made: list[Path] = []
    if old is not None:
        start, end, indent = _span(text, parent, name)
        changed = text[:start] + _block(name, wanted, indent, end_of_line(text)) + text[end:]
    elif is_object(document) and parent in document:
        changed = _below(text, parent, name, wanted)
    else:
        changed = _at_end(text, parent, name, wanted)
        made.append((parent,))
    _prove(text, changed, document, path, wanted)
    return changed, made


def drop(text: str, path: Path) -> str:
    """Return the text without the entry at the path. Raises: Malformed."""
    parent, name = (str(part) for part in path)
    document = read(text)
    if find(document, path) is None:
        return text
    start, end, _ = _span(text, parent, name)
    changed = text[:start] + text[end:]
    _prove(text, changed, document, path, None)
    return changed


def prune(text: str, path: Path) -> str:
    """Return the text without the top-level key at the path, if nothing stands below it."""
    document = read(text)
    if len(path) != 1 or not is_object(document) or document.get(str(path[0]), ...) is not None:
        return text
    key, value = _pair(text, str(path[0]))
    start, end = key.start_mark.index, value.end_mark.index
    rest = text[end:].lstrip(" \t:")
    if rest.strip():
        newline = text.find("\n", start)
        return text[:start] + text[newline + 1 :]
    # It was put at the end, with one line end before it where the text had none.
    return text[:start] if rest else text[:start].removesuffix("\n").removesuffix("\r")


def _below(text: str, parent: str, name: str, value: Any) -> str:
    key, node = _pair(text, parent)
    empty = node.id == "scalar" and node.value in {"", "~", "null"}
    if not empty and (node.id != "mapping" or node.flow_style):
        line, column = key.start_mark.line + 1, key.start_mark.column + 1
        raise Malformed(f"{parent} is not written as a block; edit the file by hand", line, column)
    indent = _STEP
    if node.id == "mapping" and node.value:
        indent = " " * node.value[0][0].start_mark.column
    at = text.find("\n", key.end_mark.index) + 1
    eol = end_of_line(text)
    if not at:
        return text + eol + _block(name, value, indent, eol).removesuffix(eol)
    return text[:at] + _block(name, value, indent, eol) + text[at:]


def _at_end(text: str, parent: str, name: str, value: Any) -> str:
    eol = end_of_line(text)
    block = f"{parent}:{eol}" + _block(name, value, _STEP, eol)
    if text and not text.endswith("\n"):
        return text + eol + block.removesuffix(eol)
    return text + block


def _block(name: str, value: Any, indent: str, eol: str) -> str:
    lines = [f"{indent}{_scalar(name)}:"]
    for key, held in value.items():
        if is_object(held) and held:
            lines.append(f"{indent}{_STEP}{_scalar(key)}:")
            lines += [f"{indent}{_STEP * 2}{_scalar(k)}: {_scalar(v)}" for k, v in held.items()]
        else:
            lines.append(f"{indent}{_STEP}{_scalar(key)}: {_scalar(held)}")
    return eol.join(lines) + eol


def _scalar(value: Any) -> str:
    """Return a value in one line: a word that means itself as it is, all else as JSON."""
    if isinstance(value, str) and _WORD.fullmatch(value) and read(value) == value:
        return value
    shown = json.dumps(value)
    return shown.replace('","', '", "') if is_array(value) else shown


def _span(text: str, parent: str, name: str) -> tuple[int, int, str]:
    """Return where an entry's lines begin and end, and its indentation."""
    _, node = _pair(text, parent)
    for key, held in node.value:
        if key.value != name:
            continue
        start = text.rfind("\n", 0, key.start_mark.index) + 1
        indent = text[start : key.start_mark.index]
        if node.flow_style or indent.strip():
            break
        last = _last_index(held)
        end = text.find("\n", last - 1 if text[:last].endswith("\n") else last) + 1
        if end:
            return start, end, indent
        # The file's last line has no end: the line end before the entry goes with it.
        back = start - 1 if start else 0
        return back - (text[:back].endswith("\r")), len(text), indent
    line, column = node.start_mark.line + 1, node.start_mark.column + 1
    raise Malformed(f"{name} is not written as a block; edit the file by hand", line, column)


def _last_index(node: Any) -> int:
    if node.id != "scalar" and node.value and not node.flow_style:
        last = node.value[-1]
        return _last_index(last[1] if node.id == "mapping" else last)
    return int(node.end_mark.index)


def _pair(text: str, name: str) -> tuple[Any, Any]:
    root = _compose(text)
    pairs: list[Any] = root.value if root is not None and root.id == "mapping" else []
    found = [(key, held) for key, held in pairs if key.value == name]
    if root is None or len(found) != 1 or root.flow_style:
        line = found[-1][0].start_mark.line + 1 if found else 1
        raise Malformed(f"{name} cannot be told apart; edit the file by hand", line, 1)
    return found[0]


def _compose(text: str) -> Any:
    # Its stub leaves the stream's type open.
    return cast("Any", yaml).compose(text, Loader=yaml.SafeLoader)


def _prove(before: str, after: str, document: Any, path: Path, wanted: Any) -> None:
    parent, name = path
    rest: dict[str, Any] = dict(document or {}) if is_object(document or {}) else {}
    inner: dict[str, Any] = dict(rest.get(str(parent)) or {})
    inner.pop(str(name), None)
    if wanted is not None:
        inner[str(name)] = wanted
    try:
        new: Any = read(after)
        sound = {**new, parent: new[parent] or {}} == {**rest, parent: inner}
    except (Malformed, TypeError, KeyError):
        sound = False
    if not sound:
        line = before.count("\n") + 1
        raise Malformed("its form cannot be edited safely; edit the file by hand", line, 1)


def _malformed(text: str, error: yaml.YAMLError) -> Malformed:
    mark: Any = getattr(error, "problem_mark", None)
    if mark is None:
        return Malformed("not YAML", text.count("\n") + 1, 1)
    what = str(getattr(error, "problem", None) or "not YAML")
    return Malformed(what, mark.line + 1, mark.column + 1)
