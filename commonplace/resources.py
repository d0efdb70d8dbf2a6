"""Where the files beside the package lie, in a checkout and in an installed wheel."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from commonplace.errors import Unavailable

Folder = Literal["migrations", "hooks", "extensions"]

_PACKAGE = Path(__file__).resolve().parent


def folder(name: Folder) -> Path:
    """Return the folder of that name: the wheel's own copy, else the checkout's.

    Raises: Unavailable when the installation lacks it.
    """
    for place in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if place.is_dir():
            return place
    raise Unavailable(
        f"this installation lacks its {name} folder; install commonplace-memory again", folder=name
    )
