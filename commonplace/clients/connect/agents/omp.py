"""omp (oh-my-pi): MCP entry in mcp.json, and our extension for the index."""

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
from commonplace.clients.connect.extension import extension


def _folder(machine: Machine) -> Path:
    return machine.folder("PI_CODING_AGENT_DIR", ".omp/agent")


def _parts(machine: Machine, link: Link) -> list[Part]:
    headers = link.headers("omp", f"${{{TOKEN_VARIABLE}}}", file_command="!{}")
    value = {"type": "http", "url": link.endpoint, "headers": headers}
    folder = _folder(machine)
    return [
        Entry("mcp", folder / "mcp.json", ("mcpServers", NAME), value, stale=TRANSPORTS),
        *extension("omp", folder / "extensions/commonplace.ts", link),
    ]


AGENT = Agent(
    name="omp",
    title="omp",
    signs=lambda machine: (_folder(machine), "omp"),
    parts=_parts,
    reads_file=True,
)
