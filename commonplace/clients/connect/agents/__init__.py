"""The agents that can be connected, one small module each."""

from commonplace.clients.connect.agents import claude_code, codex, gemini
from commonplace.clients.connect.base import Agent
from commonplace.errors import NotFound

AGENTS: tuple[Agent, ...] = (claude_code.AGENT, codex.AGENT, gemini.AGENT)


def named(name: str) -> Agent:
    """Return the agent of that name. Raises: NotFound, with the names there are."""
    for agent in AGENTS:
        if agent.name == name:
            return agent
    known = ", ".join(agent.name for agent in AGENTS)
    raise NotFound(f"no agent {name[:60]!a}; commonplace connect knows {known}")
