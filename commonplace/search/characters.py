"""Which characters make words, which are words of their own, and which say nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

# Scripts written without blanks between words, and Hangul, whose particles stick to the word.
_UNSPACED = (
    (0x0E00, 0x109F),  # Thai, Lao, Tibetan, Myanmar
    (0x1100, 0x11FF),  # Hangul jamo
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),  # 々〆〇
    (0x3021, 0x3029),  # Hangzhou numerals
    (0x3031, 0x303C),
    (0x3041, 0x31FF),  # kana, bopomofo
    (0xA000, 0xA48C),  # Yi
    (0x12000, 0x1467F),  # cuneiform, hieroglyphs
    (0x17000, 0x18DFF),  # Tangut, Khitan
    (0x1B000, 0x1B2FF),  # old kana, Nushu
)
_HAN_AND_HANGUL = "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
_SPACED = (
    (0x0041, 0x0DFF),
    (0x10A0, 0x10FF),
    (0x1200, 0x177F),
    (0x1800, 0x33FF),
    (0xA490, 0xABFF),
    (0xFB00, 0xFFDC),
    (0x10000, 0x11FFF),
    (0x16000, 0x16FFF),
    (0x1BC00, 0x1EEFF),
    (0x1FBF0, 0x1FBF9),
)
_MARKED = ((0x0300, 0x309A), (0xA66F, 0xABED), (0xFB1E, 0xFE2F), (0x10000, 0x11FFF))
_SIGNED = ((0x00A2, 0x33FF), (0xFDFC, 0xFFFD), (0x10100, 0x11FFF), (0x1D000, 0x1FBFF))
# Formats, joiners, selectors, skin tones, keycaps, Arabic lengthening, tags: nobody asks for them.
_UNSEEN = (
    (0x00AD, 0x00AD),
    (0x0640, 0x0640),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x20E3, 0x20E3),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0x1F3FB, 0x1F3FF),
    (0xE0000, 0xE01EF),
)


def _of(spans: Iterable[tuple[int, int]], *categories: str) -> list[int]:
    return [
        code
        for first, last in spans
        for code in range(first, last + 1)
        if unicodedata.category(chr(code)).startswith(categories)
    ]


def _class(codes: Iterable[int]) -> str:
    """Return the inside of a regular expression's character class, neighbours joined to ranges."""
    ranges: list[list[int]] = []
    for code in sorted(codes):
        if ranges and code == ranges[-1][1] + 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{re.escape(chr(a))}-{re.escape(chr(b))}" for a, b in ranges)


_unseen = frozenset(code for first, last in _UNSEEN for code in range(first, last + 1))
_marks = [code for code in _of(_MARKED, "M") if code not in _unseen]
_singles = _of(_UNSPACED, "L", "N")
_letters = set(_of(_SPACED, "L", "N")) - set(_singles)

# Each is the inside of a character class. Letters come with the marks upon them; digits are 0 to 9.
UNSEEN = _class(_unseen)
MARKS = _class(_marks)
SINGLES = _class(_singles) + _HAN_AND_HANGUL
SIGNS = _class(code for code in _of(_SIGNED, "S") if code not in _unseen)
LETTERS = _class(_letters | set(_marks))
LETTERS_AND_DIGITS = f"0-9{LETTERS}"

# Accents of Latin and Greek, points of Hebrew and Arabic, stress of Cyrillic: often left out.
_ACCENTED = re.compile(
    "(?<=[a-z\u0370-\u03ff])[\u0300-\u036f]+|[\u0591-\u05bd\u05bf-\u05c7\u064b-\u0652\u0670]+"
    "|(?<=[\u0430-\u045f])[\u0300\u0301]|(?<=\u0435)\u0308"
)
_SAME = str.maketrans(
    {
        "\u0131": "i",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ħ": "h",
        "æ": "ae",
        "œ": "oe",
        "þ": "th",
        "ð": "d",
    }
)


def without_accents(apart: str) -> str:
    """Return case-folded NFD text as those write it who leave accents out; Indic marks stay."""
    return _ACCENTED.sub("", apart).translate(_SAME)
