"""Zed: context server in settings.json, which knows no variables."""

from __future__ import annotations

from pathlib import Path

from commonplace.clients.connect.base import NAME, TRANSPORTS, Agent, Entry, Link, Machine, Part


def _folder(machine: Machine) -> Path:
    if machine.platform == "win32":
        return machine.application_data() / "Zed"
    return machine.config_home / "zed"


def _parts(machine: Machine, link: Link) -> list[Part]:
    value = {"url": link.endpoint, "headers": link.headers("zed")}
    file = _folder(machine) / "settings.json"
    return [Entry("mcp", file, ("context_servers", NAME), value, stale=TRANSPORTS)]


AGENT = Agent(
    name="zed",
    title="Zed",
    signs=lambda machine: (_folder(machine), "zed", "zeditor"),
    parts=_parts,
    expands=False,
)
