"""Decides what a connection changes in which file, and does it; the only loop over parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from commonplace.clients import light_json
from commonplace.clients.connect import files
from commonplace.clients.connect.base import NAME, TOKEN_VARIABLE, Entry, Item, Part, Whole
from commonplace.clients.connect.formats import FORMATS
from commonplace.clients.connect.formats.base import Format, Malformed, find, merged
from commonplace.clients.connect.formats.base import Path as Place
from commonplace.clients.connect.receipts import Receipt, Receipts
from commonplace.errors import Busy, Exists, Invalid

State = Literal["absent", "ours", "differs"]
_TRIES = 3


@dataclass
class Change:
    """One file as it is and as it is to be; None where there is no file."""

    file: Path
    roles: list[str] = field(default_factory=list[str])
    before: str | None = None
    after: str | None = None
    made: list[Place] = field(default_factory=list[Place])

    @property
    def action(self) -> str:
        """Return in one word what happens to the file."""
        if self.before == self.after:
            return "unchanged"
        if self.before is None:
            return "create"
        return "remove" if self.after is None else "change"

    def diff(self) -> str:
        """Return the change as a unified diff, secrets covered."""
        return files.diff(self.file, self.before, self.after)


def state(part: Part) -> State:
    """Return whether a part is in its file as it should be. Raises: Invalid."""
    text = files.read(part.file)
    if isinstance(part, Whole):
        if text is None:
            return "absent"
        return "ours" if text == part.text else "differs"
    if text is None:
        return "absent"
    value = _read(FORMATS[part.format], part.file, text)
    if isinstance(part, Item):
        return _item_state(part, value)
    held = find(value, part.at)
    if held is None:
        return "absent"
    return "ours" if merged(held, part.value, _stale(part, held)) == held else "differs"


def plan(parts: Sequence[Part], receipts: Receipts, *, removing: bool) -> list[Change]:
    """Return what becomes of each file the parts live in. Raises: Invalid, Exists."""
    changes: dict[Path, Change] = {}
    for part in parts:
        change = changes.get(part.file)
        if change is None:
            text = files.read(part.file)
            change = changes[part.file] = Change(part.file, [], text, text)
        change.roles.append(part.role)
        try:
            if removing:
                _take(part, change, receipts.of(part.file))
            else:
                _add(part, change)
        except Malformed as error:
            raise _broken(part.file, error) from None
    return list(changes.values())


def carry_out(
    parts: Sequence[Part], receipts: Receipts, *, removing: bool, private: bool = False
) -> list[Change]:
    """Plan, and write what was planned; a file that changed meanwhile is planned again.

    Raises: Invalid, Exists; Busy when other programs keep writing.
    """
    for _ in range(_TRIES):
        changes = plan(parts, receipts, removing=removing)
        if all(files.read(change.file) == change.before for change in changes):
            folders = [made for each in changes for made in receipts.of(each.file).folders]
            for change in changes:
                _write(change, receipts, removing=removing, private=private)
            if removing:
                files.remove_empty(folders)
            return changes
    raise Busy("another program keeps writing these files; close it and try again", retry_after_s=5)


def _write(change: Change, receipts: Receipts, *, removing: bool, private: bool) -> None:
    receipt = receipts.of(change.file)
    if change.after is None:
        if change.before is not None:
            files.remove(change.file)
        receipts.keep(change.file, None)
        return
    if change.after == change.before and not removing:
        return
    if change.after != change.before:
        receipt.folders += files.write(change.file, change.after, private=private)
    receipt.created |= change.before is None
    receipt.made += change.made
    worth_keeping = receipt.created or receipt.folders or receipt.made
    receipts.keep(change.file, receipt if worth_keeping and not removing else None)


def _add(part: Part, change: Change) -> None:
    if isinstance(part, Whole):
        if change.before is not None and NAME not in change.before:
            raise Exists(f"{part.file} is somebody else's; move it away and connect again")
        change.after = part.text
        return
    edit = FORMATS[part.format]
    text = change.after or ""
    value = edit.read(text)
    if isinstance(part, Entry):
        held = find(value, part.at)
        change.after, made = edit.put(text, part.at, part.value, _stale(part, held))
        change.made += made
        return
    places = part.ours(find(value, part.at))
    if not places:
        for key, held in part.base.items():
            if find(value, (key,)) is None:
                text, made = edit.put(text, (key,), held)
                change.made += [*made, (key,)]
        count = len(find(value, part.at) or ())
        change.after, made = edit.put(text, (*part.at, count), part.value)
        change.made += made
        return
    for place in reversed(places[1:]):
        text = edit.drop(text, part.at + place)
    change.after, _ = edit.put(text, part.at + places[0], _handler(part, places[0]))


def _take(part: Part, change: Change, receipt: Receipt) -> None:
    text = change.after
    if text is None:
        return
    if isinstance(part, Whole):
        change.after = None if NAME in text else text
        return
    edit = FORMATS[part.format]
    value = edit.read(text)
    if isinstance(part, Entry):
        text = edit.drop(text, part.at)
    else:
        for place in reversed(part.ours(find(value, part.at))):
            text = edit.drop(text, part.at + place)
    base = part.base if isinstance(part, Item) else {}
    text = _prune(edit, text, receipt.made, base)
    change.after = None if receipt.created and not text.strip("\ufeff \t\r\n") else text


def _prune(edit: Format, text: str, made: list[Place], base: dict[str, Any]) -> str:
    """Take out the containers that were made for an entry, the innermost first."""
    for path in sorted(made, key=len, reverse=True):
        if path and path[0] not in base:
            text = edit.prune(text, path)
    left = edit.read(text)
    # The file's other members count as ours only while nobody else's stand beside them.
    if light_json.is_object(left) and set(left) <= set(base):
        for key in reversed(base):
            if (key,) in made and left.get(key) == base[key]:
                text = edit.drop(text, (key,))
    return edit.prune(text, ()) if () in made else text


def _item_state(part: Item, value: Any) -> State:
    items = find(value, part.at)
    places = part.ours(items)
    if not places:
        return "absent"
    held = find(items, places[0])
    wanted = _handler(part, places[0])
    return "ours" if len(places) == 1 and merged(held, wanted) == held else "differs"


def _handler(part: Item, place: Place) -> dict[str, Any]:
    """Return what belongs at a place: the whole item, or its handler inside somebody's group."""
    return part.value if len(place) == 1 else find(part.value, ("hooks", 0))


def _stale(part: Entry, held: Any) -> list[Place]:
    """Return which members of an entry go: other transports, and a token no longer asked for."""
    gone = [path for path in part.stale if find(part.value, path) is None]
    return gone + [
        path for path in _token_places(held) if find(part.value, path) is None and path not in gone
    ]


def _token_places(value: Any, path: Place = ()) -> list[Place]:
    if light_json.is_object(value):
        return [found for key, held in value.items() for found in _token_places(held, (*path, key))]
    return [path] if isinstance(value, str) and TOKEN_VARIABLE in value else []


def _read(edit: Format, file: Path, text: str) -> Any:
    try:
        return edit.read(text)
    except Malformed as error:
        raise _broken(file, error) from None


def _broken(file: Path, error: Malformed) -> Invalid:
    return Invalid(
        f"{file}:{error.line}:{error.column}: {error.what}; the file was left alone, mend it first",
        file=str(file),
        line=error.line,
        column=error.column,
    )
