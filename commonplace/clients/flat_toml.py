"""Reads small TOML files; a flat one without the cost of importing `tomllib`."""

# ruff: noqa: PLC0415 - tomllib takes twice the time of a bare interpreter start, so it is loaded
# only for a file that really needs it.
from __future__ import annotations

_PLAIN_KEY = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def loads(text: str) -> dict[str, object]:
    """Return the document's values.

    Raises: ValueError with the line and column, never with a value.
    """
    flat = _flat(text)
    if flat is not None:
        return flat
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(_where(str(error))) from None


def _flat(text: str) -> dict[str, object] | None:
    """Return the values of a file of `key = value` lines, None for anything richer."""
    values: dict[str, object] = {}
    for line in text.replace("\r\n", "\n").split("\n"):
        stripped = line.strip(" \t")
        if not stripped or (stripped[0] == "#" and stripped.isprintable()):
            continue
        key, equals, rest = stripped.partition("=")
        key = key.rstrip(" \t")
        value = _value(rest.strip(" \t"))
        if not equals or not key or key in values or value is None or not set(key) <= _PLAIN_KEY:
            return None
        values[key] = value
    return values


def _value(text: str) -> object:
    if text in {"true", "false"}:
        return text == "true"
    if text.isascii() and text.isdigit() and (text == "0" or text[0] != "0"):
        return int(text)
    quote = text[:1]
    if quote not in {'"', "'"} or text.startswith(quote * 3):
        return None
    inner, closed, rest = text[1:].partition(quote)
    rest = rest.strip(" \t")
    if not closed or (rest and rest[0] != "#") or "\\" in inner:
        return None
    return inner if inner.isprintable() and rest.isprintable() else None


def _where(message: str) -> str:
    at = message.rfind("(at ")
    return f"not valid TOML {message[at:]}" if at >= 0 else "not valid TOML"
