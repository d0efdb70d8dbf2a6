"""Run operations off the event loop, for every wire alike, and learn who is asking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
import anyio.to_thread

from commonplace.service.context import UNKNOWN, Caller, Context
from commonplace.service.operations import Operation, dispatch

AGENT_HEADER = "x-commonplace-agent"
HOST_HEADER = "x-commonplace-host"


class Calls:
    """Operations on worker threads, so many at a time; the rest wait their turn."""

    def __init__(self, context: Context) -> None:
        """Take the parts the operations work with."""
        self.context = context
        self._limiter = anyio.CapacityLimiter(context.settings.threads)

    async def run(self, operation: Operation, raw: object, caller: Caller) -> Any:
        """Return the operation's reply.

        A call that is cancelled while it waits for its turn has done nothing; once it runs, it runs
        to its end whatever becomes of the client, so that no write is ever half done.
        Raises: CommonplaceError.
        """
        return await anyio.to_thread.run_sync(
            dispatch, self.context, operation, raw, caller, limiter=self._limiter
        )

    async def health(self) -> dict[str, object]:
        """Return what the store says of itself."""
        return await anyio.to_thread.run_sync(self.context.store.health, limiter=self._limiter)


def caller_of(headers: Mapping[str, str], client: str | None = None) -> Caller:
    """Return who is asking: the headers first, then what an MCP client calls itself.

    Headers reach us as Latin-1; a client that sends UTF-8 is read as it meant.
    """
    agent = _header(headers, AGENT_HEADER) or client or UNKNOWN
    return Caller(agent=agent, host=_header(headers, HOST_HEADER) or UNKNOWN)


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name, "")
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value
