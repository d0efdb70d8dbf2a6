"""Finds the extension we ship for an agent, so that it can be copied to where the agent looks."""

from __future__ import annotations

import json
from pathlib import Path

from commonplace import resources
from commonplace.clients.connect.base import Link, Part, Whole
from commonplace.errors import Unavailable

# The line of an extension that names our command; a desktop program's PATH may lack it.
_PROGRAM_LINE = 'const PROGRAM = "commonplace"'


def extension(agent: str, target: Path, link: Link) -> list[Part]:
    """Return the extension as a file of ours; nothing where this installation ships none."""
    source = _source(agent)
    if source is None:
        return []
    text = source.read_text(encoding="utf-8")
    text = text.replace(_PROGRAM_LINE, f"const PROGRAM = {json.dumps(link.program)}", 1)
    return [Whole("hook", target, text)]


def _source(agent: str) -> Path | None:
    try:
        folder = resources.folder("extensions") / agent
    except Unavailable:
        return None
    return next((file for file in (folder / "commonplace.ts",) if file.is_file()), None)
