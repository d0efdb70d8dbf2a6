"""Credentials that no beginning gives away: keys in PEM, passwords, and what stands in an URL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from commonplace.domain.secrets.placeholders import is_code, is_placeholder, is_word

_PEM_BODY = 64
_NAME_MOST = 100
_MOST = 16 * 1024
Span = tuple[int, int]


def places(low: str, word: str) -> Iterator[int]:
    """Give each place of a word; `re` would take ten times as long to look for it in any case."""
    at = low.find(word)
    while at >= 0:
        yield at
        at = low.find(word, at + 1)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return the pattern ready for use, made when a text first needs it."""
    return re.compile(pattern)


_BEGIN = r"-----BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----"
_END = r"-----END[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----"
_BASE64 = r"[A-Za-z0-9+/]{16}"
_PEM_LINES = r"(?:[A-Za-z0-9+/=]|\s|\\[nr]|[:,.>#*-])*"

_PASSWORD_WORDS = ("password", "passwd", "passphrase", "passcode", "passwort", "pwd")
_AFTER_WORD = (
    r"(?i:(?![a-z0-9])['\"`*_]{0,3}[ \t]{0,3}(?:=>|:=|==|[:=]|\bis\b)[ \t*_]{0,4})"
    r"(?:\"([^\"\n]{4,128})\"|'([^'\n]{4,128})'|`([^`\n]{4,128})`|([^\s\"'`<>|,;)\]}]{6,128}))"
)
_SECRET_WORDS = (
    *("password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "api_key", "api-key"),
    *("access_key", "private_key", "secret_key", "auth_key", "encryption_key", "secret-key"),
)
_AFTER_NAME = r"['\"`]?[ \t]{0,3}(?:=>|:=|[=:])[ \t]{0,3}['\"`]?([^\s\"'`<>|,;)\]}]{6,256})"
_NAME_BEGIN = re.compile(r"(?<![A-Za-z0-9])[\w-]{0,100}\Z")
_NAME_END = re.compile(r"['\"`=: \t>]+$")
_USERINFO = (
    r"(?i:\b[a-z][a-z0-9+.-]{1,20}://)([^\s/?#@:\"'`<>\\]{0,80}):([^\s/?#@\"'`<>\\]{1,256})@"
)
_BARE_USERINFO = r"(?i:\bhttps?://)([A-Za-z0-9_~.-]{20,256})@[a-z0-9]"
_HEADER = r"(?i:['\"`]?[ \t]*[:=][ \t]*['\"`]?(?:bearer|basic|token)[ \t]+)([\w+/=.~-]{16,})"


def pem(text: str, _low: str) -> Iterator[Span]:
    """Give each private key whole, its end missing or not; a header alone is talk about keys."""
    after = 0
    no_end = False
    for found in compiled(_BEGIN).finditer(text):
        if found.start() < after:
            continue
        end = None if no_end else compiled(_END).search(text, found.end())
        no_end = end is None
        if end is not None and end.start() - found.end() <= _MOST:
            body, after = text[found.end() : end.start()], end.end()
        else:
            run = compiled(_PEM_LINES).match(text, found.end())
            after = run.end() if run else found.end()
            body = text[found.end() : after]
        if len(body) >= _PEM_BODY and compiled(_BASE64).search(body):
            yield found.start(), after


def password(text: str, low: str) -> Iterator[Span]:
    """Give what stands after `password:`, unless it is a word, code or a placeholder."""
    for at, found in _after_words(text, low, _PASSWORD_WORDS, _AFTER_WORD):
        if low[at - 1 : at].isalpha():
            continue
        group = next(number for number in range(1, 5) if found[number] is not None)
        value = found[group].rstrip(".*_")
        if not (is_placeholder(value) or is_code(value) or is_word(value)):
            start = found.start(group)
            yield start, start + len(value)


def assigned(text: str, low: str) -> Iterator[Span]:
    """Give the value of a variable that is named for a secret, as `DB_AFTER_WORD=` is."""
    for at, found in _after_words(text, low, _SECRET_WORDS, _AFTER_NAME):
        value = found[1].rstrip(".")
        before = _NAME_BEGIN.search(text, max(at - _NAME_MOST, 0), at)
        said = (before[0] if before else "") + text[at : found.start(1)]
        name = _NAME_END.sub("", said)
        if not (is_placeholder(value) or is_code(value)) and _tells(name, said, value):
            yield found.start(1), found.start(1) + len(value)


def _after_words(
    text: str, low: str, words: Iterable[str], pattern: str
) -> Iterator[tuple[int, re.Match[str]]]:
    for word in words:
        for at in places(low, word):
            found = compiled(pattern).match(text, at + len(word))
            if found is not None:
                yield at, found


def _tells(name: str, said: str, value: str) -> bool:
    """Tell whether a variable's name and value together are a secret and not a sentence."""
    if "_" not in name and "-" not in name and name.lower() != "apikey":
        return False
    if re.search(r"(?i)pass|pwd", name):
        shell = name.isupper() and said.endswith(("=", '="', "='"))
        return shell or not is_word(value)
    return _random(value)


def userinfo(text: str, _low: str) -> Iterator[Span]:
    """Give the password of an URL that carries one; `user:pass@` and its like are examples."""
    for found in compiled(_USERINFO).finditer(text):
        user, value = found[1], found[2]
        taken_out = user.startswith("[redacted")
        if not (taken_out or is_placeholder(value) or value.lower() == user.lower()):
            yield found.span(2)


def bare_userinfo(text: str, _low: str) -> Iterator[Span]:
    """Give a token that stands alone before the host of an URL."""
    for found in compiled(_BARE_USERINFO).finditer(text):
        if not is_placeholder(found[1]) and _random(found[1]):
            yield found.span(1)


def header(text: str, low: str) -> Iterator[Span]:
    """Give the credential of an Authorization header."""
    for _, found in _after_words(text, low, ("authorization",), _HEADER):
        if not is_placeholder(found[1]) and not is_code(found[1]) and _random(found[1]):
            yield found.span(1)


def _random(value: str) -> bool:
    digits = sum(char.isdigit() for char in value)
    letters = sum(char.isalpha() for char in value)
    return len(value) >= 16 and digits >= 2 and letters >= 4 and len(set(value)) >= 10
