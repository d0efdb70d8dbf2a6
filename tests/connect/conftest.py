"""A machine with a home of its own, and the command line on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import Cli
from support.desk import Desk
from support.hosts import client_environment

OWN_FOLDERS = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "APPDATA", "PI_CODING_AGENT_DIR", "COPILOT_HOME")


@pytest.fixture
def desk(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> Desk:
    """Give a home with no agent in it; no agent's program is on the path."""
    home = tmp_path / "a home"
    env = {
        **client_environment(home),
        "COMMONPLACE_HOST": "desk",
        "COLUMNS": "200",
    }
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    for name in (*OWN_FOLDERS, "COMMONPLACE_URL", "COMMONPLACE_PROJECT", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(home)
    (home / ".local").mkdir()
    (home / ".config").mkdir()
    return Desk(home, Cli("none", tmp_path, env, capfdbinary, monkeypatch))
