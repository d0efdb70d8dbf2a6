"""What a settings file's format can do, and how a file it cannot read is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from commonplace.clients.light_json import is_array, is_object

Path = tuple[str | int, ...]


class Malformed(ValueError):
    """A text that is not of its format, or holds an entry in a form that cannot be edited.

    Units: line and column count from 1.
    """

    def __init__(self, what: str, line: int, column: int) -> None:
        """Keep the place beside the sentence."""
        super().__init__(f"line {line}, column {column}: {what}")
        self.what = what
        self.line = line
        self.column = column


class Format(Protocol):
    """One format: text in, text out; whatever was not asked for keeps its bytes."""

    def read(self, text: str) -> Any:
        """Return the document's value; None for an empty document. Raises: Malformed."""
        ...

    def put(
        self, text: str, path: Path, value: Any, stale: Sequence[Path] = ()
    ) -> tuple[str, list[Path]]:
        """Return the text with the value at the path, and the containers made on the way.

        What stands there already is merged with: other members stay, those at `stale` (below the
        path) go. A number as the path's last part is a place in a list; the list's length appends.
        Raises: Malformed.
        """
        ...

    def drop(self, text: str, path: Path) -> str:
        """Return the text without what is at the path. Raises: Malformed."""
        ...

    def prune(self, text: str, path: Path) -> str:
        """Return the text without the container at the path, if nothing is left in it."""
        ...


def place(text: str, offset: int) -> tuple[int, int]:
    """Return the line and column of an offset, both from 1."""
    line_start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - line_start + 1


def end_of_line(text: str) -> str:
    """Return the line ending a text uses."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def find(value: Any, path: Path) -> Any:
    """Return what stands at a path of a plain value; None where there is nothing."""
    for part in path:
        if isinstance(part, int):
            if not is_array(value) or part >= len(value):
                return None
            value = value[part]
        elif is_object(value):
            value = value.get(part)
        else:
            return None
    return value


def merged(old: Any, new: Any, stale: Sequence[Path] = ()) -> Any:
    """Return `new` laid over `old`: members of both, those of `new` first in right.

    Anything that is no object is replaced.
    """
    if not is_object(old) or not is_object(new):
        return new
    result = {key: held for key, held in old.items() if (key,) not in stale or key in new}
    for key, held in new.items():
        below = [rest[1:] for rest in stale if rest[:1] == (key,) and len(rest) > 1]
        result[key] = merged(result.get(key), held, below)
    return result
