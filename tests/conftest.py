"""Fixtures shared by all tests. Nothing of the person running them leaks in, nothing leaks out."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.hosts import Host, client_environment
from support.server import Server


@pytest.fixture(scope="session", autouse=True)
def _own_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give the run a home of its own: no config, store, proxy or git setting of the machine."""
    patch = pytest.MonkeyPatch()
    for name in list(os.environ):
        if name.startswith(("COMMONPLACE_", "FASTMCP_", "GIT_")) or name.lower().endswith("_proxy"):
            patch.delenv(name)
    for name, value in client_environment(tmp_path_factory.mktemp("home")).items():
        patch.setenv(name, value)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A background job ignores ctrl-c, and so would every process that the tests start.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Loading the model takes a server a second of processor time; who needs it asks for it.
    patch.setenv("COMMONPLACE_MODEL", "off")
    yield
    patch.undo()


@pytest.fixture
def client_env(tmp_path: Path) -> dict[str, str]:
    """Give an environment for a client process: fresh home, git identity, no COMMONPLACE_*."""
    return client_environment(tmp_path / "client-home")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Give a running server over an empty store; its log is shown when the test fails."""
    running = Server(tmp_path / "server").start()
    yield running
    running.stop()


@pytest.fixture
def meaning_server(tmp_path: Path) -> Iterator[Server]:
    """Give a running server that searches by meaning, with the model that comes with it."""
    running = Server(tmp_path / "server", env={**os.environ, "COMMONPLACE_MODEL": "bundled"})
    running.start()
    yield running
    running.stop()


@pytest.fixture
def host_a(tmp_path: Path, server: Server) -> Host:
    """Give a client machine that knows the server."""
    return Host("host-a", tmp_path / "host-a", server.url)


@pytest.fixture
def host_b(tmp_path: Path, server: Server) -> Host:
    """Give another client machine that knows the same server."""
    return Host("host-b", tmp_path / "host-b", server.url)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.failed:
        for value in getattr(item, "funcargs", {}).values():
            if isinstance(value, Server):
                report.sections.append(("server log", value.log_tail()))
    return report
