"""Connects one agent, takes the connection away, or tells how it stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from commonplace.clients.connect import files
from commonplace.clients.connect.agents import AGENTS
from commonplace.clients.connect.base import (
    Agent,
    Item,
    Link,
    Machine,
    Part,
    Role,
    Whole,
    is_our_command,
)
from commonplace.clients.connect.formats import FORMATS
from commonplace.clients.connect.formats.base import Malformed, find
from commonplace.clients.connect.plan import Change, carry_out, plan, state
from commonplace.clients.connect.receipts import Receipts
from commonplace.clients.light_json import is_array, is_object
from commonplace.errors import CommonplaceError, Invalid

NONE, ABSENT, OURS, DIFFERS, BROKEN = "none", "absent", "ours", "differs", "broken"
_ADDRESSES = ("url", "httpUrl", "serverUrl", "uri")


@dataclass(frozen=True)
class Wish:
    """What a person asked for: to connect or to take away, with or without the hook, or to look."""

    removing: bool = False
    hook: bool = True
    in_clear: bool = False
    dry_run: bool = False


@dataclass(frozen=True)
class PartState:
    """How one part of a connection stands: none, absent, ours, differs or broken; and why."""

    role: Role
    file: str
    state: str
    detail: str = ""


@dataclass(frozen=True)
class AgentState:
    """How an agent stands on this machine."""

    agent: Agent
    found: bool
    parts: tuple[PartState, ...]

    def of(self, role: Role) -> PartState | None:
        """Return the part with that role, the worst where there are several."""
        order = (BROKEN, DIFFERS, ABSENT, OURS)
        own = [part for part in self.parts if part.role == role]
        return min(own, key=lambda part: order.index(part.state), default=None)

    @property
    def connected(self) -> bool:
        """Say whether anything of ours is there, in whatever state."""
        return any(part.state in {OURS, DIFFERS} for part in self.parts)


def connect(
    agent: Agent, machine: Machine, link: Link, receipts: Receipts, wish: Wish
) -> list[Change]:
    """Bring an agent's files to what was asked for; return what changed, or would.

    Raises: Invalid, naming the file and place that stands in the way, and then nothing was written;
    Exists, Busy.
    """
    if not wish.removing and link.credential != "none" and not (agent.expands or wish.in_clear):
        raise Invalid(
            f"{agent.title} cannot read a token from a variable; it would stand in"
            f" {agent.parts(machine, link)[0].file} as it is. Give --token-in-clear to allow that",
            agent=agent.name,
        )
    if wish.removing:
        # With a token an agent may have more parts than without: all of them go.
        link = replace(link, credential="variable", clear_token=None)
    parts = [part for part in agent.parts(machine, link) if wish.hook or part.role != "hook"]
    if wish.dry_run:
        return plan(parts, receipts, removing=wish.removing)
    private = link.clear_token is not None and not wish.removing
    return carry_out(parts, receipts, removing=wish.removing, private=private)


def survey(machine: Machine, link: Link) -> list[AgentState]:
    """Return how every known agent stands on this machine; nothing is changed."""
    return [look(agent, machine, link) for agent in AGENTS]


def look(agent: Agent, machine: Machine, link: Link) -> AgentState:
    """Return how one agent stands; a file that cannot be read is a state, not an error."""
    parts = tuple(_look(part) for part in agent.parts(machine, link))
    return AgentState(agent, agent.found(machine), parts)


def hook_line(agent: Agent, machine: Machine, link: Link) -> str | None:
    """Return the line for a shell that stands in an agent's settings as our hook."""
    for part in agent.parts(machine, link):
        if part.role != "hook":
            continue
        try:
            value = FORMATS["json"].read(files.read(part.file) or "")
        except (CommonplaceError, Malformed):
            continue
        items = find(value, part.at) if isinstance(part, Item) else value
        for line in _texts(items):
            if is_our_command(line):
                return line
    return None


def _texts(value: Any) -> list[str]:
    if is_object(value):
        return [text for held in value.values() for text in _texts(held)]
    if is_array(value):
        return [text for held in value for text in _texts(held)]
    return [value] if isinstance(value, str) else []


def _look(part: Part) -> PartState:
    file = str(part.file)
    try:
        found = state(part)
    except CommonplaceError as error:
        return PartState(part.role, file, BROKEN, error.message)
    detail = _elsewhere(part) if found == DIFFERS and part.role == "mcp" else ""
    return PartState(part.role, file, found, detail)


def _elsewhere(part: Part) -> str:
    """Say which other server an entry names; no login, no query: they may hold secrets."""
    if isinstance(part, Whole):
        return ""
    try:
        held: Any = find(FORMATS[part.format].read(files.read(part.file) or ""), part.at)
    except Malformed:
        return ""
    for name in _ADDRESSES:
        there, wanted = find(held, (name,)), find(part.value, (name,))
        if isinstance(there, str) and there != wanted:
            scheme, mark, rest = there.partition("://")
            host = rest.partition("/")[0].rpartition("@")[2]
            return f"names another server: {scheme}://{host}" if mark else "names another server"
    return "is not as this version would write it"
