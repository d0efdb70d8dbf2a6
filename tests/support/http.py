"""Plain HTTP and JSON with the standard library: what goes over the wire is what the test says."""

from __future__ import annotations

import http.client
import json
import threading
from dataclasses import dataclass
from typing import Any

MCP_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


@dataclass(frozen=True)
class Reply:
    """An HTTP answer, whole."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def ok(self) -> dict[str, Any]:
        """The reply of an operation that went well."""
        assert self.status == 200, f"{self.status}: {self.body[:2000]!r}"
        return self.json

    @property
    def error(self) -> dict[str, Any]:
        """The error of an operation that was refused."""
        assert self.status >= 400, f"not refused: {self.body[:2000]!r}"
        return self.json["error"]

    @property
    def code(self) -> str:
        return self.error["code"]


class Api:
    """The server's HTTP side; each thread has its own kept-alive connection."""

    def __init__(self, port: int, timeout_s: float = 60.0) -> None:
        self.port = port
        self.timeout_s = timeout_s
        self._local = threading.local()
        self._open: list[http.client.HTTPConnection] = []

    def call(self, operation: str, **arguments: object) -> Reply:
        body = json.dumps(arguments).encode("utf-8")
        headers = {"Content-Type": "application/json"}
        return self.request("POST", f"/api/v1/{operation}", body, headers)

    def mcp(self, message: dict[str, Any], path: str = "/mcp", **headers: str) -> Reply:
        """Post one JSON-RPC message to the MCP endpoint."""
        body = json.dumps(message).encode("utf-8")
        return self.request("POST", path, body, {**MCP_HEADERS, **headers})

    def tool(self, tool: str, path: str = "/mcp", /, **arguments: object) -> dict[str, Any]:
        """Call an MCP tool; return its result, which may be `isError`."""
        reply = self.mcp(tool_call(tool, arguments), path)
        assert reply.status == 200, reply
        return reply.json["result"]

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Reply:
        connection = self._connection()
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            named = {key.lower(): value for key, value in answer.getheaders()}
            return Reply(answer.status, named, answer.read())
        except (OSError, http.client.HTTPException):
            connection.close()
            raise

    def close(self) -> None:
        for connection in self._open:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout_s)
            self._local.connection = connection
            self._open.append(connection)
        return connection


def tool_call(name: str, arguments: dict[str, Any], request_id: object = 1) -> dict[str, Any]:
    """Return the JSON-RPC message that calls a tool."""
    return {
        "jsonrpc": "2.0",
        "id": request_id,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }


def text_of(result: dict[str, Any]) -> str:
    """Return what a tool's result shows the model."""
    return "\n".join(part["text"] for part in result["content"] if part["type"] == "text")
