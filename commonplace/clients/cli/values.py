"""Reads option values without pydantic, which would cost each command some 300 ms.

typer loads it to read any value that is no flag. measured: 0.65 s of CPU for a whole
`commonplace get` with it, 0.25 s without (typer 0.29).
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer

_PLAIN = (str, int, float, bool, Path)
_WHAT: dict[Any, str] = {int: "a whole number", float: "a number", bool: "true or false"}
_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0", "")
_BOOLS = {**dict.fromkeys(_TRUE, True), **dict.fromkeys(_FALSE, False)}


class _PlainValue:
    """Stands in for typer's own value reader; the one method typer calls on it."""

    def __init__(self, kind: Any, *, many: bool) -> None:
        self._kind = kind
        self._many = many

    def coerce(self, value: Any, param: Any, ctx: typer.Context) -> Any:
        """Return the value in its annotated type; None and () as typer does."""
        if value is None:
            return () if self._many else None
        try:
            return [self._one(item) for item in value] if self._many else self._one(value)
        except (ValueError, OverflowError, KeyError):
            what = _WHAT.get(self._kind, "a value of another form")
            raise typer.BadParameter(
                f"must be {what}, not {value!r}", ctx=ctx, param=param
            ) from None

    def _one(self, value: Any) -> Any:
        if self._kind is bool:
            return value if isinstance(value, bool) else _BOOLS[str(value).strip().lower()]
        return value if isinstance(value, self._kind) else self._kind(value)


def read_plainly(params: Iterable[Any]) -> None:
    """Give parameters of plain types a reader that needs no pydantic; others keep typer's.

    A typer that no longer has this slot ignores it and is only slower.
    """
    for param in params:
        annotation = getattr(getattr(param, "type_descriptor", None), "annotation", None)
        if annotation in _PLAIN:
            param._runtime_param = _PlainValue(annotation, many=False)  # noqa: SLF001
        elif annotation == list[str]:
            param._runtime_param = _PlainValue(str, many=True)  # noqa: SLF001
