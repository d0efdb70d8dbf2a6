"""The one HTTP app: JSON routes, health and MCP side by side."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Route

from commonplace.service.context import Context
from commonplace.wire.body import BodyLimit
from commonplace.wire.calls import Calls
from commonplace.wire.endpoint import MCP, Mcp
from commonplace.wire.routes import API, HEALTH, Routes, http_error

# On every answer, with the version: clients know by it that it was commonplace that answered.
SERVICE_HEADER = "X-Commonplace"


def build(context: Context) -> Starlette:
    """Return the app; the store in the context stays its owner's to close."""
    calls = Calls(context)
    routes = Routes(calls)
    mcp = Mcp(calls)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(mcp.run)
            yield
            tasks.cancel_scope.cancel()

    app = Starlette(
        routes=[
            Route(API, routes.operation, methods=["POST"]),
            Route(HEALTH, routes.health, methods=["GET"]),
            Route(MCP, mcp),
            Route(f"{MCP}/", mcp),
        ],
        # Checks of who may enter go before the body is read: put them first in this list.
        middleware=[Middleware(BodyLimit, limit=context.settings.request_limit)],
        exception_handlers={HTTPException: http_error, Exception: http_error},
        lifespan=lifespan,
    )
    # A redirect would send a caller's body wherever its Host header says.
    app.router.redirect_slashes = False
    return app
