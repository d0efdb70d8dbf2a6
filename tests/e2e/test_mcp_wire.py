"""The MCP side as agents meet it: both addresses, text arguments, hostile queries, refusals."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.http import Api, text_of, tool_call
from support.server import Server

pytestmark = pytest.mark.e2e

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a-test", "version": "1"},
    },
}
FTS_SYNTAX = [
    '"unbalanced',
    "NEAR(",
    "NEAR(a b, 2",
    "***",
    "-x",
    "name:x",
    "a AND",
    "OR",
    "^a",
    "{name}:a",
    "(",
    "a + b",
    "'; DROP TABLE memory_versions; --",
    "\\",
    "%",
    "",
    "   ",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Give one server for the whole file: each test here has names of its own."""
    running = Server(tmp_path_factory.mktemp("wire")).start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def api(server: Server) -> Iterator[Api]:
    client = Api(server.port)
    yield client
    client.close()


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_the_endpoint_answers_with_and_without_a_slash(api: Api, path: str) -> None:
    reply = api.mcp(INITIALIZE, path)
    assert reply.status == 200
    result = reply.json["result"]
    assert "commonplace" in result["serverInfo"]["name"]
    assert 0 < len(result["instructions"]) <= 2000
    assert api.tool("list_scopes", path)["isError"] is False


@pytest.mark.parametrize("query", FTS_SYNTAX)
def test_no_query_is_read_as_search_syntax(server: Server, api: Api, query: str) -> None:
    reply = server.call("recall", query=query)
    assert reply.status == 200 or reply.code == "INVALID", reply.body
    result = api.tool("recall", query=query)
    assert not result["isError"] or text_of(result).startswith("INVALID"), result


def test_a_body_of_a_mebibyte_is_refused_whole_with_its_limit(server: Server, api: Api) -> None:
    big = {"scope": "global", "name": "big", "description": "Too much", "body": "b" * 2**20}
    reply = server.call("remember", **big)
    assert reply.code == "TOO_LARGE"
    assert "16384" in reply.error["message"]
    result = api.tool("remember", **big)
    assert result["isError"] is True
    assert text_of(result).startswith("TOO_LARGE")
    assert "bbbbbbbbbbbbbbbb" not in text_of(result)
    assert server.call("get", scope="global", name="big").code == "NOT_FOUND"


def test_arguments_sent_as_text_are_read_as_what_they_mean(server: Server, api: Api) -> None:
    result = api.tool(
        "remember", scope="global", name="typed", description="Sent as text", pinned="true",
        links='[{"type": "related-to", "name": "other"}]',
    )  # fmt: skip
    assert result["isError"] is False, result
    memory = server.call("get", scope="global", name="typed", version="1").ok
    assert memory["pinned"] is True
    assert [link["name"] for link in memory["links"]] == ["other"]
    found = api.tool("recall", query="text", limit="5", scopes='["global"]')
    assert "typed" in text_of(found)
    update = server.call("update", name="typed", expected_version="1", pinned="no", scope="global")
    assert update.ok["version"] == 2


def test_a_refusal_looks_the_same_on_both_wires(server: Server, api: Api) -> None:
    plain = server.call("get", scope="global", name="nobody-here")
    agent = api.tool("get", scope="global", name="nobody-here")
    assert plain.status == 404
    assert agent["isError"] is True
    assert text_of(agent).startswith("NOT_FOUND")
    assert plain.error["message"] in text_of(agent)


def test_tools_answer_in_text_alone_and_carry_their_hints(api: Api) -> None:
    listing = {"jsonrpc": "2.0", "id": 5, "method": "tools/list", "params": {}}
    tools = api.mcp(listing).json["result"]["tools"]
    for tool in tools:
        assert "outputSchema" not in tool, tool["name"]
        assert 0 < len(tool["description"]) <= 2000
        hints = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
        assert hints <= set(tool["annotations"]), tool["name"]
    result = api.tool("stats")
    assert result.get("structuredContent") is None


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"name": ""}, "INVALID"),
        ({"name": "a\x00b"}, "INVALID"),
        ({"name": "a\nb"}, "INVALID"),
        ({"name": "a\ud800b"}, "INVALID"),
        ({"name": "../etc/passwd"}, "INVALID"),
        ({"description": "two\nlines"}, "INVALID"),
        ({"description": "nul\x00"}, "INVALID"),
        ({"description": "half \udc00"}, "INVALID"),
        ({"body": "nul\x00"}, "INVALID"),
        ({"body": "half \ud83d"}, "INVALID"),
        ({"type": "opinion"}, "INVALID"),
        ({"scope": "projct:x"}, "UNKNOWN_SCOPE_FORM"),
        ({"scope": "project:"}, "UNKNOWN_SCOPE_FORM"),
        ({"scope": "host: "}, "UNKNOWN_SCOPE_FORM"),
        ({"scope": "project:" + "a" * 300}, "UNKNOWN_SCOPE_FORM"),
        ({"scope": "project:../x"}, "UNKNOWN_SCOPE_FORM"),
        ({"colour": "red"}, "INVALID"),
    ],
)
def test_a_malformed_memory_is_refused_on_both_wires(
    server: Server, api: Api, arguments: dict[str, str], code: str
) -> None:
    before = server.call("stats").ok["versions"]
    good = {"scope": "global", "name": "fine", "description": "Well formed", "body": "text"}
    reply = server.call("remember", **{**good, **arguments})
    assert (reply.status, reply.code) == (400, code)
    answer = api.mcp(tool_call("remember", {**good, **arguments}))
    if "\\ud" in ascii(arguments):
        # Half a surrogate pair is no JSON text: MCP refuses it before any tool is asked.
        assert (answer.status, answer.json["error"]["code"]) == (400, -32700)
    else:
        assert answer.json["result"]["isError"] is True
        assert text_of(answer.json["result"]).startswith(code)
    assert server.call("stats").ok["versions"] == before


def test_an_update_of_what_is_not_there_offers_the_nearest_names(server: Server) -> None:
    server.call("remember", scope="global", name="build-cache-path", description="Where").ok
    reply = server.call("update", scope="global", name="build-cash-path", description="There")
    assert reply.code == "NOT_FOUND"
    assert "build-cache-path" in reply.error["details"]["nearest"]
    assert "build-cache-path" in reply.error["message"]
