"""Cursor: MCP entry in mcp.json, sessionStart hook in hooks.json."""

from __future__ import annotations

from pathlib import Path

from commonplace.clients.connect.base import (
    NAME,
    TOKEN_VARIABLE,
    TRANSPORTS,
    Agent,
    Entry,
    Item,
    Link,
    Machine,
    Part,
    flat,
)

CLIENT = "cursor"


def _folder(machine: Machine) -> Path:
    return machine.home / ".cursor"


def _parts(machine: Machine, link: Link) -> list[Part]:
    headers = link.headers("cursor", f"${{env:{TOKEN_VARIABLE}}}")
    value = {"url": link.endpoint, "headers": headers}
    hook = Item(
        "hook",
        _folder(machine) / "hooks.json",
        ("hooks", "sessionStart"),
        {"command": link.hook_command(CLIENT)},
        flat,
        base={"version": 1},
    )
    file = _folder(machine) / "mcp.json"
    return [Entry("mcp", file, ("mcpServers", NAME), value, stale=TRANSPORTS), hook]


AGENT = Agent(
    name="cursor",
    title="Cursor",
    signs=lambda machine: (_folder(machine), "cursor"),
    parts=_parts,
    client=CLIENT,
)
