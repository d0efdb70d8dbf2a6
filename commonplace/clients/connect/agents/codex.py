"""OpenAI Codex: MCP table in config.toml, SessionStart hook in hooks.json."""

from __future__ import annotations

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

CLIENT = "codex"


def folder(machine: Machine) -> Path:
    """Return the folder Codex keeps its settings in."""
    return machine.folder("CODEX_HOME", ".codex")


def _parts(machine: Machine, link: Link) -> list[Part]:
    value: dict[str, Any] = {"url": link.endpoint}
    if link.credential != "none":
        value["bearer_token_env_var"] = TOKEN_VARIABLE
    value["http_headers"] = link.headers("codex")
    value["http_headers"].pop("Authorization", None)
    # Trust is bound to this text: a change of any part of it makes Codex skip the hook silently.
    handler = {
        "type": "command",
        "command": link.hook_command(CLIENT),
        "timeout": HOOK_TIMEOUT_S,
    }
    table = Entry(
        "mcp", folder(machine) / "config.toml", ("mcp_servers", NAME), value, "toml", TRANSPORTS
    )
    hooks = folder(machine) / "hooks.json"
    return [
        table,
        Item("hook", hooks, ("hooks", "SessionStart"), {"hooks": [handler]}, grouped),
    ]


AGENT = Agent(
    name="codex",
    title="Codex",
    signs=lambda machine: (folder(machine), "codex"),
    parts=_parts,
    client=CLIENT,
    notes=("Codex runs a hook only when you trust it: start codex, type /hooks, trust this one",),
)
