"""VS Code: user-wide MCP entry in mcp.json; VS Code itself asks for the token and keeps it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from commonplace.clients.connect.base import (
    NAME,
    TRANSPORTS,
    Agent,
    Entry,
    Item,
    Link,
    Machine,
    Part,
)
from commonplace.clients.connect.formats.base import Path as Place
from commonplace.clients.light_json import is_array, is_object

_INPUT = "commonplace-token"


def _folder(machine: Machine) -> Path:
    return machine.application_data() / "Code/User"


def _ours(inputs: Any) -> list[Place]:
    items = inputs if is_array(inputs) else []
    return [(at,) for at, each in enumerate(items) if is_object(each) and each.get("id") == _INPUT]


def _parts(machine: Machine, link: Link) -> list[Part]:
    file = _folder(machine) / "mcp.json"
    headers = link.headers("vscode", f"${{input:{_INPUT}}}")
    value = {"type": "http", "url": link.endpoint, "headers": headers}
    parts: list[Part] = [Entry("mcp", file, ("servers", NAME), value, stale=TRANSPORTS)]
    if link.credential != "none" and link.clear_token is None:
        ask = {
            "type": "promptString",
            "id": _INPUT,
            "password": True,
            "description": "Token of the commonplace server",
        }
        parts.append(Item("mcp", file, ("inputs",), ask, _ours))
    return parts


AGENT = Agent(
    name="vscode",
    title="VS Code",
    signs=lambda machine: (_folder(machine), "code"),
    parts=_parts,
    asks=True,
)
