"""Keep credentials out of every write, before its arguments are read, stored or repeated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from commonplace.domain.secrets.scan import names, redact
from commonplace.errors import SecretFound

REFUSE, REDACT, ALLOW = "refuse", "redact", "allow"
POLICIES = (REFUSE, REDACT, ALLOW)
# A name with a hole in it is no name; these are refused where prose is redacted.
_REDACTABLE = {"body", "description", "agent"}
_LONGEST_ARGUMENT = 20


def guard(raw: object, policy: str) -> object:
    """Return a write's arguments with nothing in them that looks like a credential.

    Raises: SecretFound, naming the argument and the rules, never the value.
    """
    if policy == ALLOW or not isinstance(raw, Mapping):
        return raw
    given = dict(cast("Mapping[str, object]", raw))
    for field, value in given.items():
        if len(field) > _LONGEST_ARGUMENT and (rules := names(field)):
            raise found(field, rules)
        rules = _met(value)
        if not rules:
            continue
        if policy == REFUSE or field not in _REDACTABLE or not isinstance(value, str):
            raise found(field, rules)
        given[field] = redact(value)[0]
    return given


def check(texts: Mapping[str, object], policy: str) -> None:
    """Refuse stored texts that come back to life, as a restored version's do.

    Raises: SecretFound.
    """
    for field, value in texts.items():
        rules = () if policy == ALLOW else _met(value)
        if rules:
            raise found(field, rules)


def found(field: str, rules: tuple[str, ...]) -> SecretFound:
    """Return the error for a field that holds what these rules describe."""
    shown = field if len(field) <= _LONGEST_ARGUMENT else "the name of an argument"
    return SecretFound(
        f"{shown} holds what looks like a secret ({', '.join(rules)}); nothing was stored."
        " Take it out, and say where it is kept instead",
        field=shown,
        rules=list(rules),
    )


def _met(value: object) -> tuple[str, ...]:
    return tuple(sorted({rule for text in _texts(value) for rule in names(text)}))


def _texts(value: object) -> Iterator[str]:
    """Give every string in a JSON value; a key goes with its value, as `password: x` does."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, held in cast("Mapping[Any, object]", value).items():
            yield str(key)
            if isinstance(held, str):
                yield f"{key}: {held}"
            yield from _texts(held)
    elif isinstance(value, (list, tuple)):
        for item in cast("list[object]", value):
            yield from _texts(item)
