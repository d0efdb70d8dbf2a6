"""MCP resources: the index, and one memory, for clients that attach context by address."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from fastmcp import FastMCP
from fastmcp.exceptions import ResourceError, ValidationError

from commonplace.errors import CommonplaceError, Refused
from commonplace.service.context import Caller
from commonplace.service.operations import find
from commonplace.wire.calls import Calls
from commonplace.wire.errors import error_text
from commonplace.wire.text import render, sendable

INDEX = "commonplace://index"
MEMORY = "commonplace://memory/{scope}/{name}"


def add(mcp: FastMCP, calls: Calls, caller: Callable[[], Caller]) -> None:
    """Add the resources; a scope's `:` and `/` are percent-encoded in its address."""

    async def answer(operation: str, arguments: dict[str, Any]) -> str:
        try:
            return sendable(render(await calls.run(find(operation), arguments, caller())))
        except CommonplaceError as error:
            # FastMCP sends a ValidationError as -32602, the code of a resource that is not there.
            kind = ValidationError if isinstance(error, Refused) else ResourceError
            raise kind(sendable(error_text(error)), log_level=logging.DEBUG) from error

    async def index() -> str:
        return await answer("index", {})

    async def memory(scope: str, name: str) -> str:
        return await answer("get", {"scope": scope, "name": name})

    mcp.resource(INDEX, name="index", description="One line for each global memory")(index)
    # No path check: a scope is parsed by its own rules and reaches no file.
    mcp.resource(
        MEMORY,
        name="memory",
        description="One memory, whole; scope percent-encoded (project%3Agithub.com%2Facme%2Fapp)",
        security=None,
    )(memory)
