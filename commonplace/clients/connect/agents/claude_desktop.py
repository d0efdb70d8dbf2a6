"""Claude Desktop: knows programs only, so it starts our bridge, which has the token itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from commonplace.clients.connect.base import NAME, TRANSPORTS, Agent, Entry, Link, Machine, Part


def _folder(machine: Machine) -> Path:
    return machine.application_data() / "Claude"


def _parts(machine: Machine, link: Link) -> list[Part]:
    value: dict[str, Any] = {
        "command": link.program,
        "args": ["serve"],
        "env": {"COMMONPLACE_AGENT": "claude-desktop", **link.variables()},
    }
    file = _folder(machine) / "claude_desktop_config.json"
    return [Entry("mcp", file, ("mcpServers", NAME), value, stale=TRANSPORTS)]


AGENT = Agent(
    name="claude-desktop",
    title="Claude Desktop",
    signs=lambda machine: (_folder(machine),),
    parts=_parts,
    reads_file=True,
    bridges=True,
)
