"""Remembers what `connect` made besides its own entries, so that `--remove` leaves nothing over."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from commonplace.clients import config, light_json
from commonplace.clients.connect.formats.base import Path as Place


@dataclass
class Receipt:
    """What was made in one file: the file itself, its folders, containers around the entry."""

    created: bool = False
    folders: list[Path] = field(default_factory=list[Path])
    made: list[Place] = field(default_factory=list[Place])


class Receipts:
    """The receipts of all files, in one file of the state folder."""

    def __init__(self, state_dir: str) -> None:
        """Read what is there; a file that cannot be read counts as none."""
        self._path = Path(state_dir) / "connect.json"
        try:
            found = light_json.loads_object(self._path.read_bytes()) or {}
        except OSError:
            found = {}
        self._held = {name: held for name, held in found.items() if light_json.is_object(held)}

    def of(self, file: Path) -> Receipt:
        """Return what was made in a file."""
        held: dict[str, Any] = self._held.get(str(file), {})
        return Receipt(
            created=held.get("created") is True,
            folders=[Path(str(name)) for name in _items(held.get("folders"))],
            made=[tuple(_items(path)) for path in _items(held.get("made"))],
        )

    def keep(self, file: Path, receipt: Receipt | None) -> None:
        """Write down what was made in a file; None forgets it. Raises: Invalid."""
        if receipt is None:
            if self._held.pop(str(file), None) is None:
                return
        else:
            self._held[str(file)] = {
                "created": receipt.created,
                "folders": [str(folder) for folder in receipt.folders],
                "made": [list(path) for path in receipt.made],
            }
        if self._held:
            config.save(str(self._path), json.dumps(self._held, indent=1, ensure_ascii=False))
        else:
            self._path.unlink(missing_ok=True)


def _items(value: object) -> list[Any]:
    return list(value) if light_json.is_array(value) else []
