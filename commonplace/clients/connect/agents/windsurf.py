"""Windsurf: MCP entry in mcp_config.json."""

from __future__ import annotations

from pathlib import Path

from commonplace.clients.connect.base import (
    NAME,
    TOKEN_VARIABLE,
    TRANSPORTS,
    Agent,
    Entry,
    Link,
    Machine,
    Part,
)


def _folder(machine: Machine) -> Path:
    return machine.home / ".codeium/windsurf"


def _parts(machine: Machine, link: Link) -> list[Part]:
    headers = link.headers("windsurf", f"${{env:{TOKEN_VARIABLE}}}")
    value = {"serverUrl": link.endpoint, "headers": headers}
    file = _folder(machine) / "mcp_config.json"
    return [Entry("mcp", file, ("mcpServers", NAME), value, stale=TRANSPORTS)]


AGENT = Agent(
    name="windsurf",
    title="Windsurf",
    signs=lambda machine: (_folder(machine), "windsurf"),
    parts=_parts,
)
