"""How text is laid out for eyes: columns, clipping, ages."""

from __future__ import annotations

import unicodedata
from datetime import datetime

from commonplace.domain.text import one_line

_MINUTE, _HOUR, _DAY, _YEAR = 60, 3600, 86400, 365 * 86400


def cells(text: str) -> int:
    """Return how many terminal columns a line takes."""
    return sum(_cell(char) for char in text)


def clip(text: str, width: int) -> str:
    """Return one visible line of at most `width` columns, `…` standing for what was cut."""
    line = one_line(text)
    if cells(line) <= width:
        return line
    used, kept = 1, ""
    for char in line:
        used += _cell(char)
        if used > width:
            break
        kept += char
    return kept.rstrip() + "…"


def pad(text: str, width: int) -> str:
    """Return the text filled with blanks to `width` columns; a longer one stays as it is."""
    return text + " " * (width - cells(text))


def age(stamp: str | None, now_s: float) -> str:
    """Return how long ago a UTC stamp was: now, 5m, 3h, 3d, 2y; never negative."""
    if not stamp:
        return "-"
    return age_s(now_s - datetime.fromisoformat(stamp).timestamp())


def age_s(seconds: float) -> str:
    """Return an age in seconds as `age` shows it."""
    past = int(seconds)
    if past < _MINUTE:
        return "now"
    if past < _HOUR:
        return f"{past // _MINUTE}m"
    if past < _DAY:
        return f"{past // _HOUR}h"
    return f"{past // _DAY}d" if past < 2 * _YEAR else f"{past // _YEAR}y"


def _cell(char: str) -> int:
    if unicodedata.combining(char) or char in "\u200c\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
