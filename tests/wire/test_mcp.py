"""MCP: every client era on one URL, small tools, text that says what it is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, Literal
from urllib.parse import quote

import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp.exceptions import ToolError
from mcp import MCPError
from support.http import Api, text_of, tool_call
from support.server import Server

from commonplace.service.operations import OPERATIONS
from commonplace.wire.tools import INSTRUCTIONS

Era = Literal["auto", "legacy"]
ERAS: tuple[Era, ...] = ("auto", "legacy")
MODERN = "2026-07-28"


def with_client(
    server: Server, era: Era, work: Callable[[Client[Any]], Awaitable[Any]], **headers: str
) -> Any:
    async def run() -> Any:
        transport = StreamableHttpTransport(f"{server.url}/mcp", headers=headers)
        async with Client(transport, mode=era) as client:
            return await work(client)

    return asyncio.run(run())


def first_text(result: Any) -> str:
    return result.content[0].text


def save(client: Client[Any], name: str, **fields: Any) -> Awaitable[Any]:
    return client.call_tool(
        "remember", {"scope": "global", "name": name, "description": f"about {name}", **fields}
    )


@pytest.mark.parametrize("era", ERAS)
def test_a_client_of_either_era_saves_and_reads(wire_server: Server, era: Era) -> None:
    async def work(client: Client[Any]) -> tuple[str, Any]:
        await save(client, f"mcp-{era}", body="the body")
        result = await client.call_tool("get", {"name": f"mcp-{era}"})
        return first_text(result), result.structured_content

    headers = {"X-Commonplace-Agent": "codex", "X-Commonplace-Host": "laptop"}
    text, structured = with_client(wire_server, era, work, **headers)
    assert "by codex@laptop" in text
    assert "data, not instructions" in text
    assert "```\nthe body\n```" in text
    assert structured is None


def test_a_modern_client_is_known_by_its_name(wire_server: Server) -> None:
    async def work(client: Client[Any]) -> str:
        return first_text(await save(client, "mcp-client-name"))

    assert "by fastmcp@unknown" in with_client(wire_server, "auto", work)


@pytest.mark.parametrize("era", ERAS)
def test_every_tool_has_hints_a_short_description_and_no_output_schema(
    wire_server: Server, era: Era
) -> None:
    tools = with_client(wire_server, era, lambda client: client.list_tools())
    assert [tool.name for tool in tools] == [op.name for op in OPERATIONS.values() if op.mcp]
    for tool in tools:
        operation = OPERATIONS[tool.name]
        hints = tool.annotations
        assert hints.read_only_hint == operation.read_only
        assert hints.destructive_hint == operation.destructive
        assert hints.idempotent_hint == operation.idempotent
        assert hints.open_world_hint is False
        assert tool.output_schema is None
        assert 50 < len(tool.description) <= 500
        assert tool.input_schema["additionalProperties"] is False


def test_only_joining_scopes_is_called_destructive() -> None:
    """A client that asks before destructive calls must not ask for what can be undone."""
    assert [op.name for op in OPERATIONS.values() if op.destructive] == ["alias_scope"]


def test_all_tools_together_stay_small(wire_server: Server) -> None:
    tools = with_client(wire_server, "auto", lambda client: client.list_tools())
    shown = [
        {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
        for tool in tools
    ]
    size = len(json.dumps(shown, separators=(",", ":")))
    print(f"tools: {len(tools)}, {size} characters, about {size // 4} tokens")
    assert size < 12_500


def test_instructions_are_short_and_reach_the_client(wire_server: Server) -> None:
    async def work(client: Client[Any]) -> Any:
        return client.instructions

    assert len(INSTRUCTIONS) <= 2000
    for era in ERAS:
        assert with_client(wire_server, era, work) == INSTRUCTIONS


@pytest.mark.parametrize("era", ERAS)
def test_an_error_begins_with_its_code(wire_server: Server, era: Era) -> None:
    async def work(client: Client[Any]) -> str:
        with pytest.raises(ToolError) as caught:
            await client.call_tool("get", {"name": "mcp-not-there"})
        return str(caught.value)

    assert with_client(wire_server, era, work).startswith("NOT_FOUND: ")


def test_a_conflict_shows_the_current_version_and_body(api: Api) -> None:
    arguments = {"scope": "global", "name": "mcp-conflict", "description": "d", "body": "held"}
    call(api, "remember", arguments)
    result = call(api, "update", {"name": "mcp-conflict", "body": "x", "expected_version": 9})
    assert result["isError"]
    assert text_of(result).startswith("VERSION_CONFLICT: ")
    assert "```\nheld\n```" in text_of(result)


def test_a_body_cannot_close_its_fence(api: Api) -> None:
    body = "before\n```\n````\nafter"
    call(
        api, "remember", {"scope": "global", "name": "mcp-fence", "description": "d", "body": body}
    )
    assert f"`````\n{body}\n`````" in text_of(call(api, "get", {"name": "mcp-fence"}))


def test_invisible_text_is_pointed_out_and_left_out_of_recall(api: Api) -> None:
    body = "zebra \U000e0041\u202e hidden"
    call(api, "remember", {"scope": "global", "name": "mcp-hid", "description": "d", "body": body})
    assert "2 invisible characters" in text_of(call(api, "get", {"name": "mcp-hid"}))
    assert "\U000e0041" not in text_of(call(api, "recall", {"query": "zebra"}))


def test_arguments_sent_as_strings_are_read_as_what_they_mean(api: Api) -> None:
    result = call(api, "recall", {"query": "fence", "limit": "3", "scopes": '["global"]'})
    assert not result.get("isError")


@pytest.mark.parametrize("arguments", [{"name": "\ud800"}, {"\ud800": "x"}])
def test_a_lone_surrogate_is_refused_in_either_era(api: Api, arguments: dict[str, str]) -> None:
    legacy = api.mcp(tool_call("get", arguments))
    assert (legacy.status, legacy.json["error"]["code"]) == (400, -32700)
    message = tool_call("get", arguments)
    message["params"]["_meta"] = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "get"}
    modern = api.mcp(message, **headers)
    assert modern.status == 200, modern
    assert text_of(modern.json["result"]).startswith("INVALID: ")


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_both_paths_answer_without_redirect_and_get_is_405(api: Api, path: str) -> None:
    reply = api.mcp(tool_call("list_scopes", {}), path)
    assert reply.status == 200
    assert reply.headers["content-type"] == "application/json"
    assert api.request("GET", path).status == 405


def test_a_session_id_from_before_a_restart_goes_on_working(api: Api) -> None:
    headers = {"Mcp-Session-Id": "from-before", "Mcp-Protocol-Version": "2025-06-18"}
    reply = api.mcp(tool_call("list_scopes", {}), **headers)
    assert reply.status == 200
    assert not reply.json["result"].get("isError")


def test_an_mcp_request_over_the_limit_is_refused(api: Api) -> None:
    assert api.mcp(tool_call("get", {"name": "x" * 3_000_000})).status == 413


@pytest.mark.parametrize("era", ERAS)
def test_resources_give_the_index_and_one_memory(wire_server: Server, era: Era) -> None:
    scope = "project:github.com/acme/app"

    async def work(client: Client[Any]) -> list[str]:
        await save(client, f"res-{era}", scope=scope, body="resource body")
        await save(client, f"res-global-{era}")
        address = f"commonplace://memory/{quote(scope, safe='')}/res-{era}"
        index = await client.read_resource("commonplace://index")
        memory = await client.read_resource(address)
        with pytest.raises(MCPError, match="NOT_FOUND") as caught:
            await client.read_resource("commonplace://memory/global/not-there")
        assert caught.value.error.code == -32602
        return [index[0].text, memory[0].text]

    index, memory = with_client(wire_server, era, work)
    assert f"res-global-{era}" in index
    assert "resource body" in memory


def call(api: Api, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    reply = api.mcp(tool_call(tool, arguments))
    assert reply.status == 200, reply
    return reply.json["result"]
