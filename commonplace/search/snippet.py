"""Cut the piece of a text that shows why it was found."""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonplace.domain.text import one_line

_LEAD = 60
_STEM = 4


def snippet(text: str, words: Sequence[str], width: int) -> str:
    """Return one visible line of at most `width` characters around the first word found.

    A word that is there only in another form (`deploying`, `deploys`) is found by its beginning; a
    text that shows none of the words gives its own beginning.
    """
    found = _first(text, words) or _first(
        text, [word[: max(_STEM, len(word) - 3)] for word in words]
    )
    start = max(0, found.start() - _LEAD) if found else 0
    if start:
        blank = text.find(" ", start, start + _LEAD)
        start = blank + 1 if blank >= 0 else start
    line = one_line(text[start : start + 2 * width])
    return one_line(f"…{line}" if start else line, width)


def _first(text: str, words: Sequence[str]) -> re.Match[str] | None:
    if not words:
        return None
    return re.search("|".join(re.escape(word) for word in words), text, re.IGNORECASE)
