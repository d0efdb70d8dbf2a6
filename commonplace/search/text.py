"""Prepare text for full-text search: one pure function for writing and for asking."""

from __future__ import annotations

import re
import unicodedata

_RUN = re.compile(r"\w+(?:[-.]\w+)*")
_PART = re.compile(r"[^\W\d_]+|\d+")


def prepare(text: str) -> str:
    """Return the words of a text, blank-separated, case-folded; nothing in it is FTS syntax.

    Identifiers give their parts and themselves as one word: `getUserById` → `get user by id
    getuserbyid`, `snake_case` → `snake case snakecase`.
    """
    words: list[str] = []
    for run in _RUN.findall(unicodedata.normalize("NFKC", text)):
        parts = [piece for part in _PART.findall(run) for piece in _humps(part)]
        words.extend(parts)
        if len(parts) > 1:
            words.append("".join(parts))
    return " ".join(word.casefold() for word in words)


def _humps(word: str) -> list[str]:
    starts = [0]
    for at in range(1, len(word)):
        after_lower = word[at].isupper() and not word[at - 1].isupper()
        before_lower = (
            word[at].isupper() and word[at - 1].isupper() and word[at + 1 : at + 2].islower()
        )
        if after_lower or before_lower:
            starts.append(at)
    return [word[start:end] for start, end in zip(starts, [*starts[1:], len(word)], strict=True)]
