"""The MCP endpoint: FastMCP's app, loaded while the JSON routes already answer."""

from __future__ import annotations

import logging

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from commonplace.errors import Unavailable
from commonplace.wire.calls import Calls
from commonplace.wire.errors import error_response

MCP = "/mcp"
_log = logging.getLogger(__name__)


class Mcp:
    """Serve MCP under one path, whichever of its spellings was asked for; early requests wait."""

    def __init__(self, calls: Calls) -> None:
        """Take what runs the operations."""
        self._calls = calls
        self._app: Starlette | None = None
        self._settled = anyio.Event()

    async def run(self) -> None:
        """Load FastMCP and keep it running until cancelled."""
        try:
            app = await anyio.to_thread.run_sync(_load, self._calls, abandon_on_cancel=True)
            async with app.router.lifespan_context(app):
                self._app = app
                self._settled.set()
                await anyio.sleep_forever()
        except Exception:  # noqa: BLE001 - hooks and commands do without MCP, agents are told
            _log.exception("MCP could not be started")
        finally:
            self._app = None
            self._settled.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        await self._settled.wait()
        if self._app is None:
            gone = Unavailable("MCP is not running here; the server's log says why")
            await error_response(gone)(scope, receive, send)
            return
        there = {"path": MCP, "raw_path": MCP.encode()}
        await self._app({**scope, **there}, receive, send)


def _load(calls: Calls) -> Starlette:
    # FastMCP takes seconds to import; a hook that calls right after a restart must not wait for it.
    from commonplace.wire import tools  # noqa: PLC0415

    return tools.server(calls).http_app(
        path=MCP, transport="http", stateless_http=True, json_response=True
    )
