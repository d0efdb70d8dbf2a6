r"""Dataclass ↔ JSON values, and the JSON Schema an agent is shown.

A field is declared with `arg(doc, default)`. Arguments that arrive as strings where a list, a
number or a boolean is meant are read as what they say: agents send `"[\"a\"]"`, `"5"` and `"true"`.
"""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from commonplace.errors import Invalid

T = TypeVar("T")
_TRUE = {"true", "yes", "on", "1"}
_FALSE = {"false", "no", "off", "0"}
_JSON_TYPES: dict[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def arg(doc: str, default: Any = dataclasses.MISSING, **schema: object) -> Any:
    """Declare a request field: what it means, its default, and further JSON Schema keys."""
    return dataclasses.field(default=default, metadata={"doc": doc, "schema": schema})


def decode(cls: type[T], raw: object) -> T:
    """Return the request a JSON object stands for.

    Null and, except for free text, "" count as left out.
    Raises: Invalid, naming the field, what it got and the form it takes.
    """
    if not isinstance(raw, Mapping):
        raise Invalid('arguments must be a JSON object, such as {"name": "x"}')
    given = typing.cast("Mapping[str, object]", raw)
    fields = _fields(cls)
    unknown = [key for key in given if key not in fields]
    if unknown:
        raise Invalid(
            f"unknown argument {unknown[0]!a}; this operation takes {', '.join(fields)}",
            field=unknown[0],
        )
    values: dict[str, object] = {}
    for name, (field, kind) in fields.items():
        value = given.get(name)
        free_text = "free" in field.metadata.get("schema", {})
        if value is None or (value == "" and not (kind is str and (free_text or _required(field)))):
            if _required(field):
                raise Invalid(f"{name} is missing: {field.metadata['doc']}", field=name)
            continue
        values[name] = _read(name, kind, value)
    return cls(**values)


def encode(value: object) -> Any:
    """Return a reply dataclass as plain JSON values; fields that are None are left out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: encode(held)
            for field in dataclasses.fields(value)
            if (held := getattr(value, field.name)) is not None
        }
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in typing.cast("list[object]", value)]
    if isinstance(value, Mapping):
        return {key: encode(held) for key, held in typing.cast("dict[str, object]", value).items()}
    return value


def schema(cls: type) -> dict[str, Any]:
    """Return the JSON Schema of a request, as small as it can be."""
    properties: dict[str, Any] = {}
    for name, (field, kind) in _fields(cls).items():
        extra = {key: held for key, held in field.metadata["schema"].items() if key != "free"}
        properties[name] = {**_schema_of(kind), "description": field.metadata["doc"], **extra}
    required = [name for name, (field, _) in _fields(cls).items() if _required(field)]
    return {
        "type": "object",
        "properties": properties,
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


@cache
def _fields(cls: type) -> dict[str, tuple[dataclasses.Field[Any], Any]]:
    hints = typing.get_type_hints(cls)
    return {
        field.name: (field, _bare(hints[field.name]))
        for field in dataclasses.fields(cls)  # pyright: ignore[reportArgumentType]
    }


def _required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _bare(hint: Any) -> Any:
    if typing.get_origin(hint) in {types.UnionType, typing.Union}:
        return next(kind for kind in typing.get_args(hint) if kind is not type(None))
    return hint


def _schema_of(kind: Any) -> dict[str, Any]:
    if typing.get_origin(kind) is tuple:
        return {"type": "array", "items": _schema_of(typing.get_args(kind)[0])}
    if dataclasses.is_dataclass(kind):
        return schema(typing.cast("type", kind))
    if kind in _JSON_TYPES:
        return {"type": _JSON_TYPES[kind]}
    return {"type": "object"}


def _read(name: str, kind: Any, value: object) -> object:
    if typing.get_origin(kind) is tuple:
        return _read_list(name, typing.get_args(kind)[0], value)
    if dataclasses.is_dataclass(kind):
        return decode(typing.cast("type[object]", kind), _from_json(value))
    if kind is bool:
        return _read_bool(name, value)
    if kind in {int, float}:
        return _read_number(name, kind, value)
    if kind is str:
        if isinstance(value, str):
            return value
        raise _wrong(name, "a string", value)
    value = _from_json(value)
    if isinstance(value, Mapping):
        return dict(typing.cast("Mapping[str, object]", value))
    raise _wrong(name, "a JSON object", value)


def _read_list(name: str, item: Any, value: object) -> tuple[object, ...]:
    if isinstance(value, str):
        parsed = _from_json(value)
        value = typing.cast("object", parsed) if isinstance(parsed, list) else _split(item, value)
    if isinstance(value, Mapping):
        value = [typing.cast("object", value)]
    if not isinstance(value, (list, tuple)):
        raise _wrong(name, 'a list such as ["a", "b"]', value)
    items = typing.cast("list[object]", value)
    return tuple(_read(f"{name}[{at}]", item, held) for at, held in enumerate(items))


def _split(item: Any, value: str) -> object:
    if item is str:
        return [part.strip() for part in value.split(",") if part.strip()]
    return _from_json(value)


def _read_bool(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in _TRUE | _FALSE:
        return word in _TRUE
    raise _wrong(name, "true or false", value)


def _read_number(name: str, kind: type, value: object) -> float | int:
    what = "a whole number" if kind is int else "a number"
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise _wrong(name, what, value)
    try:
        number = float(value) if kind is float else _whole(value)
    except (ValueError, OverflowError):
        raise _wrong(name, what, value) from None
    if not math.isfinite(number):
        raise _wrong(name, what, value)
    return number


def _whole(value: float | str) -> int:
    if isinstance(value, str):
        text = value.strip()
        return int(text) if text.lstrip("+-").isdigit() else _whole(float(text))
    if int(value) != value:
        raise ValueError(value)
    return int(value)


def _from_json(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return typing.cast("object", json.loads(value))
    except ValueError:
        return value


def _wrong(name: str, form: str, value: object) -> Invalid:
    shown = ascii(value)[:60]
    return Invalid(f"{name} must be {form}, not {shown}", field=name)
