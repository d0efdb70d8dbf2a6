"""One real server process for all tests of the wire; each test keeps to names of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.http import Api
from support.server import Server


@pytest.fixture(scope="session")
def wire_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("wire")
    # What lies in the folder a server is started from must not configure it.
    (folder / ".env").write_text("FASTMCP_LOG_LEVEL=nonsense\n", encoding="utf-8")
    running = Server(folder).start()
    yield running
    running.stop()


@pytest.fixture
def api(wire_server: Server) -> Iterator[Api]:
    client = Api(wire_server.port)
    yield client
    client.close()
