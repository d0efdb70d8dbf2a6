"""A client machine: its own home, name and folder, with the command as a person types it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH")
MACHINE_ENV = dict(os.environ)  # as it was before the run took a home of its own
COMMAND = Path(sys.executable).parent / "commonplace"


def client_environment(home: Path) -> dict[str, str]:
    """Return an environment with a fresh home and git identity, and nothing that leaks in."""
    home.mkdir(parents=True, exist_ok=True)
    gitconfig = home / ".gitconfig"
    gitconfig.write_text(
        "[user]\n\tname = A Tester\n\temail = tester@example.invalid\n"
        '[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n',
        encoding="utf-8",
    )
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {
        **kept,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "GIT_CONFIG_GLOBAL": str(gitconfig),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }


@dataclass
class Host:
    """One machine of a person: `run` is typing a command there."""

    name: str
    home: Path
    url: str
    cwd: Path | None = None
    command: tuple[str, ...] = (str(COMMAND),)
    env: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.env = {
            **client_environment(self.home),
            "COMMONPLACE_HOST": self.name,
            "COMMONPLACE_URL": self.url,
            **self.env,
        }

    def run(
        self, *words: str, stdin: str | None = None, exit_code: int = 0
    ) -> subprocess.CompletedProcess[str]:
        """Run the command and insist on its exit code."""
        done = subprocess.run(
            [*self.command, *words],
            cwd=self.cwd or self.home,
            env=self.env,
            input=stdin if stdin is not None else "",
            check=False,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
        )
        said = f"{words} gave exit {done.returncode}\nstdout: {done.stdout}\nstderr: {done.stderr}"
        assert done.returncode == exit_code, said
        assert "Traceback" not in done.stderr, said
        return done
