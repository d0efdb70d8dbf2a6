"""The contract on SQLite."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commonplace.store.base import Store
from commonplace.store.sqlite import open_store as open_sqlite
from store.build import HandClock
from store.contract import StoreContract
from store.contract_vectors import VectorsContract
from store.whole import assert_whole


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def open_store(tmp_path: Path, clock: HandClock) -> Iterator[Callable[[], Store]]:
    opened: list[Store] = []

    def open_again() -> Store:
        opened.append(open_sqlite(tmp_path / "store.db", prepare=str.lower, clock=clock))
        return opened[-1]

    yield open_again
    for store in opened:
        store.close()
    assert_whole(tmp_path / "store.db")


@pytest.fixture
def store(open_store: Callable[[], Store]) -> Store:
    return open_store()


class TestSqlite(StoreContract):
    """Every promise, kept by SQLite."""


class TestSqliteVectors(VectorsContract):
    """Every promise about vectors, kept by SQLite."""
