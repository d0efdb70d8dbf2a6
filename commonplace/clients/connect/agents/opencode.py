"""opencode: remote MCP server in opencode.json, and our plugin for the index."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
    return machine.config_home / "opencode"


def _settings(machine: Machine) -> Path:
    with_comments = _folder(machine) / "opencode.jsonc"
    return with_comments if with_comments.exists() else _folder(machine) / "opencode.json"


def _parts(machine: Machine, link: Link) -> list[Part]:
    reads = (
        f"{{file:{link.token_file}}}" if link.credential == "file" else f"{{env:{TOKEN_VARIABLE}}}"
    )
    value: dict[str, Any] = {
        "type": "remote",
        "url": link.endpoint,
        "headers": link.headers("opencode", reads),
        "oauth": False,
    }
    return [
        Entry("mcp", _settings(machine), ("mcp", NAME), value, stale=TRANSPORTS),
        *extension("opencode", _folder(machine) / "plugins/commonplace.ts", link),
    ]


AGENT = Agent(
    name="opencode",
    title="opencode",
    signs=lambda machine: (_folder(machine), "opencode"),
    parts=_parts,
    reads_file=True,
)
