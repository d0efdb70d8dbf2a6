"""Examines each agent on this machine: its entry, its hook run as the agent would, its trust."""

from __future__ import annotations

from collections.abc import Iterator

from commonplace.clients.connect import trust
from commonplace.clients.connect.base import Link, Machine
from commonplace.clients.connect.connection import (
    ABSENT,
    BROKEN,
    DIFFERS,
    AgentState,
    PartState,
    hook_line,
    survey,
)
from commonplace.clients.doctor import hooks
from commonplace.clients.doctor.base import Finding, broken, ok, warning


def examine(machine: Machine, link: Link) -> Iterator[Finding]:
    """Examine every agent that is here, and every one that was connected."""
    states = [each for each in survey(machine, link) if each.found or each.connected]
    if not states:
        yield warning("agents", "none is on this machine", "commonplace connect --list")
    for each in states:
        yield from _agent(each, machine, link)


def _agent(each: AgentState, machine: Machine, link: Link) -> Iterator[Finding]:
    name = each.agent.name
    connect = f"commonplace connect {name}"
    if not each.connected and not any(part.state == BROKEN for part in each.parts):
        yield warning(name, f"{each.agent.title} is here and not connected", connect)
        return
    mcp, hook = each.of("mcp"), each.of("hook")
    if mcp is not None:
        yield _part(name, "MCP entry", mcp, connect)
    if hook is None:
        return
    if hook.state in {ABSENT, BROKEN, DIFFERS}:
        yield _part(f"{name} hook", "session-start hook", hook, connect)
    line = None if hook.state == BROKEN else hook_line(each.agent, machine, link)
    if line is not None and each.agent.client is not None:
        yield from hooks.examine(f"{name} hook", line, each.agent.client, connect)
    elif hook.state not in {ABSENT, BROKEN, DIFFERS}:
        yield ok(f"{name} hook", f"the extension is in {hook.file}")
    if line is not None and name == "codex":
        yield _trust(machine, link)


def _part(name: str, what: str, part: PartState, connect: str) -> Finding:
    if part.state == BROKEN:
        return broken(name, part.detail, f"edit {part.file}")
    if part.state == ABSENT:
        return warning(name, f"the {what} is missing in {part.file}", connect)
    if part.state == DIFFERS:
        return warning(
            name, f"the {what} in {part.file} {part.detail or 'is out of date'}", connect
        )
    return ok(name, f"the {what} is in {part.file}")


def _trust(machine: Machine, link: Link) -> Finding:
    state = trust.of_codex(machine, link)
    if state == trust.TRUSTED:
        return ok("codex trust", "the hook was trusted; when its line changes, trust it again")
    if state == trust.DISABLED:
        return warning("codex trust", "the hook is switched off in Codex", "codex  # type /hooks")
    text = "the hook was never trusted, so Codex skips it without a word"
    return warning("codex trust", text, "codex  # type /hooks and trust it")
