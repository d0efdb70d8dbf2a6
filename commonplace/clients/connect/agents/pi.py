"""pi: MCP entry in mcp.json, and our extension for the index."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from commonplace.clients.connect.base import (
    ABOUT,
    NAME,
    TOKEN_VARIABLE,
    TRANSPORTS,
    Agent,
    Entry,
    Link,
    Machine,
    Part,
)
from commonplace.clients.connect.extension import extension


def _folder(machine: Machine) -> Path:
    return machine.folder("PI_CODING_AGENT_DIR", ".pi/agent")


def _parts(machine: Machine, link: Link) -> list[Part]:
    value: dict[str, Any] = {
        "url": link.endpoint,
        "headers": link.headers("pi", f"${{{TOKEN_VARIABLE}}}", file_command="!{}"),
        "exposure": "direct",
        "description": ABOUT,
    }
    folder = _folder(machine)
    return [
        Entry("mcp", folder / "mcp.json", ("mcpServers", NAME), value, stale=TRANSPORTS),
        *extension("pi", folder / "extensions/commonplace.ts", link),
    ]


AGENT = Agent(
    name="pi",
    title="pi",
    signs=lambda machine: (_folder(machine), "pi"),
    parts=_parts,
    reads_file=True,
)
