"""A person's home folder with agents in it, and the command line typed there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from support.cli import Cli, Done


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
