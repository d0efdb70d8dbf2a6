"""A command line driven in this process: what a person types, and what it leaves behind."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from commonplace.clients.cli.main import main


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    raw: bytes
    err: str

    @property
    def out(self) -> str:
        return self.raw.decode("utf-8")

    @property
    def json(self) -> Any:
        """The one JSON value on stdout."""
        return json.loads(self.raw)


@dataclass
class Cli:
    """A person's shell on one machine, in a folder of one project."""

    project: str
    folder: Path
    env: dict[str, str]
    capture: pytest.CaptureFixture[bytes]
    patch: pytest.MonkeyPatch

    @property
    def scope(self) -> str:
        return f"project:{self.project}"

    def __call__(self, *words: str, stdin: bytes | None = None, code: int | None = 0) -> Done:
        self.capture.readouterr()
        path = self.folder / "stdin"
        path.write_bytes(stdin or b"")
        with (path if stdin is not None else Path(os.devnull)).open(encoding="utf-8") as given:
            self.patch.setattr(sys, "stdin", given)
            ended = main(list(words))
        raw, err = self.capture.readouterr()
        done = Done(ended, raw, err.decode("utf-8"))
        assert code is None or ended == code, done
        assert "Traceback" not in done.err
        return done

    def remember(self, name: str, description: str = "A fact", body: str = "", *more: str) -> Done:
        return self("remember", name, description, body, *more)
