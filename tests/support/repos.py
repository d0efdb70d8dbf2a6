"""Real git repositories, made with the real git."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git(folder: Path, *words: str) -> str:
    """Run git in a folder and insist that it succeeds."""
    done = subprocess.run(
        ["git", *words], cwd=folder, check=False, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, f"git {words}: {done.stderr}"
    return done.stdout


def repository(folder: Path, *, commit: bool = True, **remotes: str) -> Path:
    """Make a repository with remotes and, unless told otherwise, one commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    for name, url in remotes.items():
        git(folder, "config", f"remote.{name}.url", url)
    if commit:
        git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder
