"""Small makers for the store's tests: a clock that is set by hand, ids, changes."""

from __future__ import annotations

import itertools
import os
from datetime import UTC, datetime, timedelta
from typing import Any

from commonplace.domain.ids import uuid7
from commonplace.domain.memory import Change, ChangeKind, Link
from commonplace.store.base import Selection

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
FAR = "2999-01-01T00:00:00.000000Z"
_COUNT = itertools.count()


class HandClock:
    """A clock that ticks a millisecond a look and can be set."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> str:
        self.at += timedelta(milliseconds=1)
        return self.at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def new_id() -> str:
    """Return an id nobody has."""
    return uuid7(1_770_000_000_000 + next(_COUNT), os.urandom(10))


def change(kind: ChangeKind, name: str, scope: str = "global", **fields: Any) -> Change:
    """Return a change with fresh ids."""
    author = fields.pop("author", "tester@here")
    return Change(
        kind=kind, id=new_id(), memory_id=new_id(), scope=scope, name=name, author=author, **fields
    )


def remember(name: str, scope: str = "global", **fields: Any) -> Change:
    """Return the beginning of a memory; its description is its name unless given."""
    return change("remember", name, scope, **{"description": name, **fields})


def link(type_: str, name: str, scope: str | None = None) -> Link:
    """Return an authored link."""
    return Link(type_, name, scope)


def seen(now: str = START.strftime("%Y-%m-%dT%H:%M:%S.%fZ"), **fields: Any) -> Selection:
    """Return a selection at the tests' time."""
    return Selection(now=now, **fields)
