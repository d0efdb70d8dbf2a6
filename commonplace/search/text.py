"""Prepare text for full-text search: one pure function for writing and for asking.

What it gives is words of letters, digits, combining marks and `_`, blank-separated and folded, so
that an engine has to do no more than split at blanks and stem.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from commonplace.search import characters

# Counts up whenever the words made of a text change; a store that holds another makes them again.
PREPARE_VERSION = 2

WORD_MAX = 80
CACHED = 16_384
_OPAQUE_PARTS = 12
_WHOLE_SEGMENTS = 3


def _name(letter: str) -> str:
    """Return the pattern of one name: letters and digits, and the signs that hold its parts."""
    part = rf"[{letter}]+(?:\+\+|\#(?![{letter}]))?"
    return rf"(?:(?<![{letter}])\.)?{part}(?:[-./@_'\u2019]+{part})*"


_L = characters.LETTERS_AND_DIGITS
_ASCII_NAME = re.compile(_name("A-Za-z0-9"))
_TOKEN = re.compile(
    rf"(?P<word>{_name(_L)})"
    rf"|(?P<chars>(?:[{characters.SINGLES}][{characters.MARKS}]*)+)"
    rf"|(?P<flag>[\U0001f1e6-\U0001f1ff]{{2}})"
    rf"|(?P<sign>[{characters.SIGNS}])"
)
_CLUSTER = re.compile(rf"[{characters.SINGLES}][{characters.MARKS}]*")
_SEGMENT = re.compile(r"[^/@]+")
_PART = re.compile(rf"[{_L}]+(?:\+\+|\#)?")
_PIECE = re.compile(rf"\d+|[{characters.LETTERS}]+")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_UNSEEN = re.compile(rf"[{characters.UNSEEN}]")
_FOREIGN_DIGIT = re.compile(r"[^\D0-9]")


class Unit(NamedTuple):
    """One thing a text names, as it stands there, and the words it is found by.

    Of a run of characters that are written without blanks between words, `words` are the single
    characters and `run` is true; else they are the parts of a name and the name as one word.
    """

    surface: str
    words: tuple[str, ...]
    run: bool = False


def prepare(text: str) -> str:
    """Return the words of a text, blank-separated; nothing in it is FTS syntax.

    `getUserById` gives `get user by id getuserbyid`, `GB/s` `gb s gbs`, `C++` `cpp`, `20.04`
    `20 04 20_04`, `部署` `部 署`, a rocket its code.
    """
    return " ".join(word for unit in units(text) for word in unit.words)


def units(text: str) -> Iterator[Unit]:
    """Give what a text names, in its order."""
    text = _normal(text)
    if text.isascii():
        return (Unit(name, _words(name)) for name in _ASCII_NAME.findall(text))
    return _mixed(text)


def _mixed(text: str) -> Iterator[Unit]:
    for match in _TOKEN.finditer(text):
        surface = match.group()
        kind = match.lastgroup
        if kind == "word":
            yield Unit(surface, _words(surface))
        elif kind == "chars":
            yield Unit(surface, tuple(_CLUSTER.findall(surface)), run=True)
        else:
            yield Unit(surface, ("_" + "_".join(f"{ord(char):x}" for char in surface),))


def _normal(text: str) -> str:
    if not text.isascii():
        text = _UNSEEN.sub("", unicodedata.normalize("NFKC", text))
        text = _FOREIGN_DIGIT.sub(lambda digit: str(unicodedata.digit(digit.group())), text)
    return _GROUPED.sub("", text) if "," in text else text


@lru_cache(maxsize=CACHED)
def _words(token: str) -> tuple[str, ...]:
    segments = [_segment(segment) for segment in _SEGMENT.findall(token)]
    words = [word for segment in segments for word in segment if word]
    if 1 < len(segments) <= _WHOLE_SEGMENTS and all(segments):
        words.append(_joined([segment[-1] for segment in segments]))
    return tuple(dict.fromkeys(words))


def _segment(text: str) -> list[str]:
    """Return the words of what stands between slashes; the last one is the whole."""
    parts = [_part(part) for part in _PART.findall(text)]
    words = [word for part in parts for word in part]
    if len(parts) > 1:
        words.append(_joined([part[-1] for part in parts]))
    if words and text.startswith("."):  # .NET, .env: asked for as dotnet, dotenv, too
        words.append(f"dot{words[-1]}"[:WORD_MAX])
    return words


def _part(text: str) -> list[str]:
    """Return the words of a run of letters and digits; the last one is the whole."""
    if text.isascii() and text.isalpha() and (text.islower() or text[1:].islower()):
        return [text.lower()[:WORD_MAX]]
    if text.endswith("++"):
        return [_folded(text[:-2] + "pp")]
    if text.endswith("#"):
        return [_folded(text[:-1] + "sharp")]
    pieces = [hump for piece in _PIECE.findall(text) for hump in _humps(piece)]
    words = [_folded(piece) for piece in pieces]
    if len(words) > _OPAQUE_PARTS or sum(word.isdigit() for word in words) > _WHOLE_SEGMENTS:
        words = []
    if len(words) != 1:
        words.append(_folded(text))
    return words


def _joined(words: list[str]) -> str:
    whole = words[0]
    for word in words[1:]:
        # 20.04 must not become the year 2004.
        between = "_" if whole[-1:].isdigit() and word[:1].isdigit() else ""
        whole += between + word
    return whole[:WORD_MAX]


def _folded(word: str) -> str:
    if word.isascii():
        return word.lower()[:WORD_MAX]
    apart = unicodedata.normalize("NFD", word.casefold())
    kept = characters.without_accents(apart)
    return unicodedata.normalize("NFC", kept)[:WORD_MAX]


def _humps(word: str) -> list[str]:
    if word.islower() or word[1:].islower() or word.isupper() or word.isdigit():
        return [word]
    starts = [0]
    for at in range(1, len(word)):
        after_lower = word[at].isupper() and not word[at - 1].isupper()
        before_lower = (
            word[at].isupper() and word[at - 1].isupper() and word[at + 1 : at + 2].islower()
        )
        if after_lower or before_lower:
            starts.append(at)
    return [word[start:end] for start, end in zip(starts, [*starts[1:], len(word)], strict=True)]
