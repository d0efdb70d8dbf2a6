"""Fixtures of the client tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.server import Server


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Give one running server to all tests of a module; they write under names of their own."""
    running = Server(tmp_path_factory.mktemp("live")).start()
    yield running
    running.stop()
