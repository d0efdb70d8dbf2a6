"""A person's machine beside a server that works."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.desk import Desk, make_desk
from support.server import Server


@pytest.fixture(scope="session")
def doctors_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("doctor-server")).start()
    running.call(
        "remember",
        scope="global",
        name="first",
        type="reference",
        description="A first fact",
        body="",
    )
    yield running
    running.stop()


@pytest.fixture
def desk(
    tmp_path: Path,
    doctors_server: Server,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> Desk:
    """Give a machine whose config file names the server."""
    made = make_desk(tmp_path, monkeypatch, capfdbinary)
    made("config", "set", "url", doctors_server.url)
    return made
