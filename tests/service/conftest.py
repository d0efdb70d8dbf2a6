"""A service over a real store file, with a clock the test moves."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from commonplace.errors import CommonplaceError
from commonplace.search.text import prepare
from commonplace.service.context import Caller, Context
from commonplace.service.meaning import Meaning
from commonplace.service.operations import dispatch, find
from commonplace.service.rebuilding import Rebuilding
from commonplace.service.times import stamp
from commonplace.settings import read
from commonplace.store.sqlite import open_store


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 12, 1, 12, tzinfo=UTC)

    def __call__(self) -> str:
        return stamp(self.moment)

    def move(self, **delta: float) -> None:
        self.moment += timedelta(**delta)


class Service:
    """Operations called by name, as a wire calls them."""

    def __init__(self, context: Context, clock: Clock) -> None:
        self.context = context
        self.clock = clock
        self.caller = Caller(agent="test-agent", host="host-a")

    def __call__(self, operation: str, /, **arguments: Any) -> Any:
        return dispatch(self.context, find(operation), arguments, self.caller)

    def refused(self, operation: str, /, **arguments: Any) -> CommonplaceError:
        with pytest.raises(CommonplaceError) as caught:
            self(operation, **arguments)
        return caught.value

    def save(self, name: str, scope: str = "global", **fields: Any) -> Any:
        fields.setdefault("description", f"about {name}")
        return self("remember", scope=scope, name=name, **fields)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    clock = Clock()
    store = open_store(tmp_path / "store.db", prepare=prepare, clock=clock)
    counter = iter(range(1, 1_000_000))
    meaning = Meaning(store, None, off="test")
    context = Context(
        store=store,
        now=clock,
        entropy=lambda: next(counter).to_bytes(10, "big"),
        settings=dataclasses.replace(read({}), db=tmp_path / "store.db"),
        version="1.2.3",
        meaning=meaning,
        rebuilding=Rebuilding(store, meaning),
    )
    yield Service(context, clock)
    store.close()
