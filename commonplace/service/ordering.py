"""The order in which memories are worth a session's attention."""

from __future__ import annotations

from collections.abc import Sequence

from commonplace.store.base import IndexRow

_SCOPES = {"project": 0, "host": 1, "global": 2}
_TYPES = {"feedback": 0, "user": 0, "project": 1, "reference": 1}


def ordered(rows: Sequence[IndexRow]) -> list[IndexRow]:
    """Return rows pinned first, then by scope (project, host, global), type and time."""
    newest_first = sorted(rows, key=lambda row: (row.touched_at, row.name), reverse=True)
    return sorted(
        newest_first,
        key=lambda row: (not row.pinned, _SCOPES[row.scope.partition(":")[0]], _TYPES[row.type]),
    )
