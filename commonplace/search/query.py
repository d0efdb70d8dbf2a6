"""Turn a question into the words to look for, and those into an FTS5 expression."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from commonplace.search.text import Unit, units

MAX_TERMS = 64
READ_MAX = 10_000

# Words that hold a question together; only such as name nothing in another language's questions.
_STOPS = """
a about an and any are as at be been but by can could did do does for from had has have how i if in
into is it its just may me my no not of on one or our out shall she he should so some such than that
the their them then there these they this those to too up us was we were what when where which who
whom why will with would you your
am aren couldn didn doesn don hadn hasn haven isn mustn shouldn wasn weren wouldn ain
arent cant couldnt didnt doesnt dont hadnt hasnt havent im isnt ive shouldnt thats wasnt werent
whats wont wouldnt d ll m re s t ve
der das und ist nicht ein eine wie wird wir ich mit für von zu auf dem den
le les une est dans avec pour sur qui que quoi ou
el los una y en por como
um uma não em
как что где для на по это
"""
STOP_WORDS = frozenset(_STOPS.split())
_KANA_ALONE = re.compile(r"[\u3041-\u309f]")


class Term(NamedTuple):
    """One thing to look for: words that must stand side by side, and how a text may show them."""

    phrase: str
    surface: str
    unspaced: bool = False


def terms(query: str) -> tuple[Term, ...]:
    """Return the distinct things to look for, in order; stop words only if there is nothing else.

    Of characters written without blanks between words, every two neighbours are one thing to look
    for, so that a question needs no cutting into words. At most MAX_TERMS, from the first READ_MAX
    characters.
    """
    found = {term.phrase: term for unit in units(query[:READ_MAX]) for term in _terms(unit)}
    telling = [term for term in found.values() if not _is_stop(term)]
    return tuple(telling or found.values())[:MAX_TERMS]


def expression(words: tuple[Term, ...]) -> str:
    """Return the FTS5 expression that finds any of the terms; each is quoted, so none is syntax."""
    return " OR ".join(quoted(word) for word in words)


def quoted(term: Term) -> str:
    """Return the FTS5 expression that finds one term."""
    return f'"{term.phrase}"'


def _terms(unit: Unit) -> Iterator[Term]:
    if not unit.run:
        whole = unit.words[-1]
        for word in unit.words:
            yield Term(word, unit.surface if word == whole else word)
    elif len(unit.words) == 1:
        yield Term(unit.words[0], unit.surface, unspaced=True)
    else:
        for pair in zip(unit.words, unit.words[1:], strict=False):
            yield Term(" ".join(pair), "".join(pair), unspaced=True)


def _is_stop(term: Term) -> bool:
    return term.phrase in STOP_WORDS or bool(_KANA_ALONE.fullmatch(term.phrase))
