"""Gemini CLI: MCP entry and SessionStart hook, both in settings.json."""

from __future__ import annotations

from commonplace.clients.connect.base import (
    HOOK_TIMEOUT_S,
    NAME,
    TOKEN_VARIABLE,
    TRANSPORTS,
    Agent,
    Entry,
    Item,
    Link,
    Machine,
    Part,
    grouped,
)

CLIENT = "gemini"


def _parts(machine: Machine, link: Link) -> list[Part]:
    file = machine.home / ".gemini/settings.json"
    headers = link.headers("gemini", f"${{{TOKEN_VARIABLE}}}")
    value = {"httpUrl": link.endpoint, "headers": headers}
    # Milliseconds here, and no matcher: one with | in it never fires.
    handler = {
        "type": "command",
        "name": NAME,
        "command": link.hook_command(CLIENT),
        "timeout": HOOK_TIMEOUT_S * 1000,
    }
    return [
        Entry("mcp", file, ("mcpServers", NAME), value, stale=TRANSPORTS),
        Item("hook", file, ("hooks", "SessionStart"), {"hooks": [handler]}, grouped),
    ]


AGENT = Agent(
    name="gemini",
    title="Gemini CLI",
    signs=lambda machine: (machine.home / ".gemini", "gemini"),
    parts=_parts,
    client=CLIENT,
    notes=("Gemini CLI turns MCP servers off in folders it was not told to trust",),
)
