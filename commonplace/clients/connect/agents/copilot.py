"""GitHub Copilot CLI: MCP entry in mcp-config.json, a hook file of our own."""

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
    Link,
    Machine,
    Part,
    Whole,
)

CLIENT = "copilot"


def _folder(machine: Machine) -> Path:
    return machine.folder("COPILOT_HOME", ".copilot")


def _parts(machine: Machine, link: Link) -> list[Part]:
    value: dict[str, Any] = {
        "type": "http",
        "url": link.endpoint,
        "headers": link.headers("copilot", f"${{{TOKEN_VARIABLE}}}"),
        "tools": ["*"],
    }
    handler = {
        "type": "command",
        "bash": link.hook_command(CLIENT),
        "timeoutSec": HOOK_TIMEOUT_S,
    }
    hook = json.dumps({"version": 1, "hooks": {"sessionStart": [handler]}}, indent=2)
    folder = _folder(machine)
    return [
        Entry("mcp", folder / "mcp-config.json", ("mcpServers", NAME), value, stale=TRANSPORTS),
        Whole("hook", folder / "hooks/commonplace.json", hook + "\n"),
    ]


AGENT = Agent(
    name="copilot",
    title="GitHub Copilot CLI",
    signs=lambda machine: (_folder(machine), "copilot"),
    parts=_parts,
    client=CLIENT,
)
