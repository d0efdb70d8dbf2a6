"""A person's home folder with agents in it, and the command line typed there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from support.cli import Cli, Done
from support.hosts import client_environment

OWN_FOLDERS = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "APPDATA", "PI_CODING_AGENT_DIR", "COPILOT_HOME")


@dataclass
class Desk:
    """A person's home folder, and `commonplace` typed there."""

    home: Path
    cli: Cli

    def __call__(self, *words: str, code: int = 0) -> Done:
        return self.cli(*words, code=code)

    def put(self, name: str, text: str, mode: int = 0o644) -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
        path.chmod(mode)
        return path

    def tree(self) -> dict[str, bytes | None]:
        """Return every file and folder but commonplace's own, with the bytes of files."""
        return {
            str(path.relative_to(self.home)): None if path.is_dir() else path.read_bytes()
            for path in sorted(self.home.rglob("*"))
            if "commonplace" not in path.relative_to(self.home).parts[:2]
            and path.relative_to(self.home).parts[:2] != (".local", "state")
        }


def make_desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[bytes]
) -> Desk:
    """Return a home with no agent in it and none of this machine's settings."""
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
    return Desk(home, Cli("none", tmp_path, env, capture, monkeypatch))
