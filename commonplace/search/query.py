"""Turn a question into an FTS5 expression that can only ever be a list of words."""

from __future__ import annotations

from commonplace.search.text import prepare

MAX_TERMS = 64

_STOPS = """
a about an and any are as at be been but by can could did do does for from had has have how i if in
into is it its just may me my no not of on one or our out shall she he should so some such than that
the their them then there these they this those to too up us was we were what when where which who
whom why will with would you your
"""
STOP_WORDS = frozenset(_STOPS.split())


def terms(query: str) -> tuple[str, ...]:
    """Return the distinct words to look for, in order; stop words only if there is nothing else."""
    words = tuple(dict.fromkeys(prepare(query).split()))
    telling = tuple(word for word in words if word not in STOP_WORDS)
    return (telling or words)[:MAX_TERMS]


def expression(words: tuple[str, ...]) -> str:
    """Return the FTS5 expression that finds any of the words; each is quoted, so none is syntax."""
    return " OR ".join(f'"{word}"' for word in words)
