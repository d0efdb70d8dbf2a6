"""Tells whether Codex was told to trust our hook: it runs no other, and says nothing about it."""

from __future__ import annotations

from typing import Literal

from commonplace.clients.connect import files
from commonplace.clients.connect.agents import codex
from commonplace.clients.connect.base import Item, Link, Machine
from commonplace.clients.connect.formats import FORMATS
from commonplace.clients.connect.formats.base import Malformed, find
from commonplace.clients.light_json import is_object
from commonplace.errors import CommonplaceError

Trust = Literal["trusted", "disabled", "unknown"]
TRUSTED: Trust = "trusted"
DISABLED: Trust = "disabled"
UNKNOWN: Trust = "unknown"


def of_codex(machine: Machine, link: Link) -> Trust:
    """Return what Codex's own settings say about our hook.

    Source: config.toml, [hooks.state."<file>:session_start:<group>:<handler>"] trusted_hash.
    The hash is Codex's own affair; that one was written shows that the hook was trusted once.
    """
    hook = next(part for part in codex.AGENT.parts(machine, link) if isinstance(part, Item))
    try:
        settings = FORMATS["toml"].read(files.read(codex.folder(machine) / "config.toml") or "")
        hooks = FORMATS["json"].read(files.read(hook.file) or "")
    except (CommonplaceError, Malformed):
        return UNKNOWN
    states = find(settings, ("hooks", "state"))
    for place in hook.ours(find(hooks, hook.at)):
        group, handler = place[0], place[-1] if len(place) > 1 else 0
        for file in (hook.file, hook.file.resolve()):
            held = find(states, (f"{file}:session_start:{group}:{handler}",))
            if is_object(held) and held.get("enabled") is False:
                return DISABLED
            if is_object(held) and held.get("trusted_hash"):
                return TRUSTED
    return UNKNOWN
