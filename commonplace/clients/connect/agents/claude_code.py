"""Claude Code: user-scope MCP entry in .claude.json, SessionStart hook in settings.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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

CLIENT = "claude"


def _folder(machine: Machine) -> Path:
    return machine.folder("CLAUDE_CONFIG_DIR", ".claude")


def _state_file(machine: Machine) -> Path:
    named = machine.variable("CLAUDE_CONFIG_DIR")
    return (_folder(machine) if named else machine.home) / ".claude.json"


def _parts(machine: Machine, link: Link) -> list[Part]:
    value: dict[str, Any] = {"type": "http", "url": link.endpoint}
    if link.credential == "file" and link.clear_token is None:
        value["headers"] = link.headers("claude-code")
        # A helper prints headers as JSON; it is run again when the server refuses the old ones.
        value["headersHelper"] = link.print_token(json.dumps({"Authorization": "Bearer %s"}))
    else:
        value["headers"] = link.headers("claude-code", f"${{{TOKEN_VARIABLE}}}")
    handler = {
        "type": "command",
        "command": link.hook_command(CLIENT),
        "timeout": HOOK_TIMEOUT_S,
    }
    settings = _folder(machine) / "settings.json"
    stale = (*TRANSPORTS, ("headersHelper",))
    return [
        Entry("mcp", _state_file(machine), ("mcpServers", NAME), value, stale=stale),
        Item("hook", settings, ("hooks", "SessionStart"), {"hooks": [handler]}, grouped),
    ]


AGENT = Agent(
    name="claude-code",
    title="Claude Code",
    signs=lambda machine: (_folder(machine), _state_file(machine), "claude"),
    parts=_parts,
    client=CLIENT,
    reads_file=True,
)
