"""Find credentials in a text and take them out; nothing here ever gives a found value back."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from commonplace.domain.secrets import shapes
from commonplace.domain.secrets.placeholders import is_placeholder
from commonplace.domain.secrets.rules import MARKED, NEAR, NEAR_END, Rule

Span = tuple[int, int]
_SHAPES: tuple[tuple[str, tuple[str, ...], Callable[[str, str], Iterator[Span]]], ...] = (
    ("private-key", ("private key",), shapes.pem),
    ("password", ("pass", "pwd", "contraseña"), shapes.password),
    ("assigned-secret", ("pass", "pwd", "secret", "token", "key"), shapes.assigned),
    ("url-password", ("://",), shapes.userinfo),
    ("url-token", ("://",), shapes.bare_userinfo),
    ("authorization-header", ("authorization",), shapes.header),
)
_MARK = "[redacted:{rule}]"


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a credential stands and which rule says so; characters, the end exclusive."""

    rule: str
    start: int
    end: int


def find(text: str) -> tuple[Hit, ...]:
    """Return what looks like a credential, in order and without overlap."""
    low = _lowered(text)
    found = [
        Hit(rule.name, *span) for rule in (*MARKED, *NEAR) for span in _matches(rule, text, low)
    ]
    for name, words, search in _SHAPES:
        if any(word in low for word in words):
            found.extend(Hit(name, *span) for span in search(text, low))
    return _apart(found)


def names(text: str) -> tuple[str, ...]:
    """Return the names of the rules a text meets, each once, sorted."""
    return tuple(sorted({hit.rule for hit in find(text)}))


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text with each credential replaced by its rule's name, and the rules met.

    What is returned meets no rule: redacting it again changes nothing.
    """
    hits = find(text)
    if not hits:
        return text, ()
    parts: list[str] = []
    at = 0
    for hit in hits:
        parts += [text[at : hit.start], _MARK.format(rule=hit.rule)]
        at = hit.end
    return "".join([*parts, text[at:]]), tuple(sorted({hit.rule for hit in hits}))


def _matches(rule: Rule, text: str, low: str) -> Iterator[Span]:
    if not any(word in low for word in rule.words):
        return
    compiled = shapes.compiled(rule.pattern)
    near = rule.name.endswith(NEAR_END)
    for found in _each(compiled, rule.words[0], text, low) if near else compiled.finditer(text):
        group = 1 if compiled.groups and found[1] is not None else 0
        value = found[group]
        if entropy(value) >= rule.entropy and not _shown_only(rule, value):
            yield found.span(group)


def _each(compiled: re.Pattern[str], word: str, text: str, low: str) -> Iterator[re.Match[str]]:
    for at in shapes.places(low, word):
        found = compiled.match(text, at)
        if found is not None:
            yield found


def _lowered(text: str) -> str:
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(one if len(one := char.lower()) == 1 else char for char in text)


def _shown_only(rule: Rule, value: str) -> bool:
    if is_placeholder(value):
        return True
    if rule.name.endswith(NEAR_END):
        return not (any(c.isdigit() for c in value) and any(c.isalpha() for c in value))
    return False


def _apart(hits: list[Hit]) -> tuple[Hit, ...]:
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
        elif hit.end > kept[-1].end:
            kept[-1] = Hit(kept[-1].rule, kept[-1].start, hit.end)
    return tuple(kept)


def entropy(value: str) -> float:
    """Return Shannon entropy in bits a character; 0 for the empty text."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())
