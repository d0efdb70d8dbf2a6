"""The agents that can be connected, one small module each."""

from commonplace.clients.connect.agents import (
    claude_code,
    claude_desktop,
    codex,
    copilot,
    cursor,
    gemini,
    goose,
    omp,
    opencode,
    pi,
    vscode,
    windsurf,
    zed,
)
from commonplace.clients.connect.base import Agent
from commonplace.errors import NotFound

AGENTS: tuple[Agent, ...] = (
    claude_code.AGENT,
    codex.AGENT,
    pi.AGENT,
    omp.AGENT,
    gemini.AGENT,
    opencode.AGENT,
    copilot.AGENT,
    cursor.AGENT,
    vscode.AGENT,
    windsurf.AGENT,
    zed.AGENT,
    goose.AGENT,
    claude_desktop.AGENT,
)


def named(name: str) -> Agent:
    """Return the agent of that name. Raises: NotFound, with the names there are."""
    for agent in AGENTS:
        if agent.name == name:
            return agent
    known = ", ".join(agent.name for agent in AGENTS)
    raise NotFound(f"no agent {name[:60]!a}; commonplace connect knows {known}")
