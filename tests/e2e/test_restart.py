"""The server restarts under a client that is in the middle of a session."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from support.server import Server

pytestmark = pytest.mark.e2e


def test_a_session_id_from_before_a_restart_goes_on_working(server: Server) -> None:
    old = {"Mcp-Session-Id": "0123456789abcdef0123456789abcdef"}
    listing = {"jsonrpc": "2.0", "id": 5, "method": "tools/list", "params": {}}
    assert server.api.mcp(listing, **old).status == 200
    server.stop()
    server.start()
    reply = server.api.mcp(listing, **old)
    assert reply.status == 200
    assert "remember" in [tool["name"] for tool in reply.json["result"]["tools"]]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_live_client_goes_on_after_a_restart(server: Server, mode: str) -> None:
    from fastmcp import Client
    from fastmcp.client.transports import StreamableHttpTransport

    async def session() -> list[str]:
        transport = StreamableHttpTransport(f"{server.url}/mcp")
        async with Client(transport, mode=mode) as client:
            await client.call_tool(
                "remember", {"scope": "global", "name": "before", "description": "Said before"}
            )
            await asyncio.to_thread(server.stop)
            await asyncio.to_thread(server.start)
            await client.call_tool(
                "remember", {"scope": "global", "name": "after", "description": "Said after"}
            )
            found = await client.call_tool("recall", {"query": "said"})
            return [part.text for part in found.content if part.type == "text"]

    text = "\n".join(asyncio.run(session()))
    assert "before" in text
    assert "after" in text
