"""The one HTTP app: JSON routes, health and MCP side by side."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from commonplace.service.context import Context
from commonplace.wire import tools
from commonplace.wire.body import BodyLimit
from commonplace.wire.calls import Calls
from commonplace.wire.routes import API, HEALTH, Routes, http_error

MCP = "/mcp"


class _At:
    """Serve another app under a fixed path, so that `/mcp/` is `/mcp` without a redirect."""

    def __init__(self, app: ASGIApp, path: str) -> None:
        self._app = app
        self._path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(
            {**scope, "path": self._path, "raw_path": self._path.encode()}, receive, send
        )


def build(context: Context) -> Starlette:
    """Return the app; the store in the context stays its owner's to close."""
    calls = Calls(context)
    routes = Routes(calls)
    mcp = tools.server(calls).http_app(
        path=MCP, transport="http", stateless_http=True, json_response=True
    )

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        async with mcp.lifespan(mcp):
            yield

    return Starlette(
        routes=[
            Route(API, routes.operation, methods=["POST"]),
            Route(HEALTH, routes.health, methods=["GET"]),
            Route(MCP, _At(mcp, MCP)),
            Route(f"{MCP}/", _At(mcp, MCP)),
        ],
        # Checks of who may enter go before the body is read: put them first in this list.
        middleware=[Middleware(BodyLimit, limit=context.settings.request_limit)],
        exception_handlers={HTTPException: http_error},
        lifespan=lifespan,
    )
