"""A command line against a real server; each test has a project and a host of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from support.cli import Cli
from support.hosts import client_environment
from support.server import Server

_numbers = count()


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("cli-server")).start()
    yield running
    running.stop()


@pytest.fixture
def cli(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    shared_server: Server,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> Cli:
    """Give a command line whose project and host scopes no other test uses."""
    name = re.sub(r"[^a-z0-9]+", "-", request.node.name.lower())[:40].strip("-")
    unique = f"{name}-{next(_numbers)}"
    project = f"example.org/cli/{unique}"
    env = {
        **client_environment(tmp_path / "home"),
        "COMMONPLACE_URL": shared_server.url,
        "COMMONPLACE_HOST": f"h-{unique}",
        "COMMONPLACE_PROJECT": project,
        "COLUMNS": "80",
        "TERM": "xterm",
    }
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    for name in ("NO_COLOR", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Cli(project, folder, env, capfdbinary, monkeypatch)
