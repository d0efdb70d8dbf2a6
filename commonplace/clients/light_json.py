"""JSON in and out through the interpreter's own C scanner, without the cost of importing `json`."""

# ruff: noqa: PLC0415 - `json` brings `re` with it, as dear as the bare interpreter's start; it is
# loaded only where the C parts are missing (PyPy) or a text needs its error messages.
from __future__ import annotations

try:
    from _json import encode_basestring, make_scanner
except ImportError:  # pragma: no cover - an interpreter without CPython's accelerator
    encode_basestring = make_scanner = None

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeGuard

_BLANKS = " \t\n\r"


class _Rules:
    """What `json.JSONDecoder` would hand the scanner; constants that are no JSON are refused."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    memo: dict[str, str] = {}  # noqa: RUF012 - the scanner empties it after every call

    @staticmethod
    def parse_constant(name: str) -> object:
        raise ValueError(name)


_RULES: Any = _Rules


def loads(text: str) -> object:
    """Return the value a JSON text stands for.

    Raises: ValueError (also for NaN, Infinity and text nested too deep).
    """
    try:
        if make_scanner is None:
            return _full_loads(text)
        start = len(text) - len(text.lstrip(_BLANKS))
        value, end = make_scanner(_RULES)(text, start)
    except (StopIteration, RecursionError, SystemError):
        # SystemError: 3.11's scanner looks for `json.decoder` only among modules already loaded.
        raise ValueError("not JSON") from None
    if text[end:].strip(_BLANKS):
        raise ValueError("more than one JSON value")
    return value


def loads_object(raw: bytes) -> dict[str, Any] | None:
    """Return the JSON object in UTF-8 bytes, with or without byte order mark; None for all else."""
    try:
        value = loads(raw.decode("utf-8-sig"))
    except ValueError:
        return None
    return value if is_object(value) else None


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Say whether a JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Say whether a JSON value is an array; a tuple becomes one."""
    return isinstance(value, (list, tuple))


def dumps(value: object) -> str:
    """Return plain values as compact JSON with every character as it is.

    Raises: TypeError for a value JSON has no form for, ValueError for NaN and infinities.
    """
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        if value != value or value in {float("inf"), float("-inf")}:
            raise ValueError("JSON has no NaN and no infinity")
        return float.__repr__(value)
    if is_object(value):
        return "{" + ",".join(f"{_string(key)}:{dumps(held)}" for key, held in value.items()) + "}"
    if is_array(value):
        return "[" + ",".join(dumps(item) for item in value) + "]"
    raise TypeError(f"JSON has no form for {type(value).__name__}")


def _string(text: str) -> str:
    if encode_basestring is None:
        return _full_dumps(text)
    return encode_basestring(text)


def _full_loads(text: str) -> object:
    import json

    return json.loads(text, parse_constant=_Rules.parse_constant)


def _full_dumps(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)
