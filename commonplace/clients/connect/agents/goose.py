"""Goose: streamable HTTP extension in config.yaml."""

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

_TIMEOUT_S = 60


def _folder(machine: Machine) -> Path:
    if machine.platform == "win32":
        return machine.application_data() / "Block/goose/config"
    return machine.config_home / "goose"


def _parts(machine: Machine, link: Link) -> list[Part]:
    value: dict[str, Any] = {
        "enabled": True,
        "type": "streamable_http",
        "name": NAME,
        "description": ABOUT,
        "uri": link.endpoint,
        "headers": link.headers("goose", f"${{{TOKEN_VARIABLE}}}"),
        "timeout": _TIMEOUT_S,
    }
    if link.credential != "none" and link.clear_token is None:
        value["env_keys"] = [TOKEN_VARIABLE]
    file = _folder(machine) / "config.yaml"
    return [Entry("mcp", file, ("extensions", NAME), value, "yaml", TRANSPORTS)]


AGENT = Agent(
    name="goose",
    title="Goose",
    signs=lambda machine: (_folder(machine), "goose"),
    parts=_parts,
)
