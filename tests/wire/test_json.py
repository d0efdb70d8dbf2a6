"""The JSON routes: one shape for answers, one for errors, and no request that breaks them."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
from typing import Any

import pytest
from starlette.requests import Request
from support.http import Api

from commonplace import __version__, errors
from commonplace.service.operations import OPERATIONS
from commonplace.wire.errors import STATUS, error_response
from commonplace.wire.routes import http_error

JSON = {"Content-Type": "application/json"}


def tree(root: type[errors.CommonplaceError]) -> set[type[errors.CommonplaceError]]:
    return {root, *(cls for child in root.__subclasses__() for cls in tree(child))}


def test_every_error_class_has_a_status() -> None:
    assert set(STATUS) == tree(errors.CommonplaceError) - {errors.CommonplaceError}


def test_busy_tells_when_to_come_back() -> None:
    response = error_response(errors.Busy("full; try again", retry_after_s=0.2))
    assert (response.status_code, response.headers["retry-after"]) == (503, "1")


def test_a_fault_of_the_server_has_the_one_error_shape() -> None:
    response = asyncio.run(http_error(Request({"type": "http"}), ZeroDivisionError("detail")))
    assert response.status_code == 500
    assert json.loads(bytes(response.body))["error"]["code"] == "INTERNAL"
    assert b"detail" not in bytes(response.body).replace(b'"details"', b"")


def test_a_body_cut_off_is_never_served(api: Api) -> None:
    body = json.dumps({"scope": "global", "name": "json-cut", "description": "d"}).encode()
    with socket.create_connection(("127.0.0.1", api.port)) as connection:
        head = "POST /api/v1/remember HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        connection.sendall(f"{head}Content-Length: {len(body) + 9}\r\n\r\n".encode() + body)
    assert api.call("get", name="json-cut").code == "NOT_FOUND"


def test_health_says_what_this_is(api: Api) -> None:
    reply = api.request("GET", "/healthz")
    assert reply.status == 200
    assert reply.json["service"] == "commonplace"
    assert reply.json["status"] == "ok"
    assert reply.json["version"] == __version__
    assert reply.json["store"]["writable"] is True
    assert reply.json["meaning"].startswith("off")


def test_an_unknown_operation_lists_those_there_are(api: Api) -> None:
    reply = api.call("remebmer")
    assert (reply.status, reply.code) == (404, "UNKNOWN_OPERATION")
    assert reply.error["details"]["operations"] == list(OPERATIONS)


def test_a_write_tells_the_author_from_the_headers(api: Api) -> None:
    headers = {**JSON, "X-Commonplace-Agent": "pi", "X-Commonplace-Host": "laptop"}
    body = json.dumps({"scope": "global", "name": "json-author", "description": "d"})
    reply = api.request("POST", "/api/v1/remember", body.encode(), headers)
    assert reply.ok["author"] == "pi@laptop"


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status"),
    [
        ("GET", "/api/v1/get", None, {}, 405),
        ("POST", "/healthz", b"{}", JSON, 405),
        ("POST", "/api/v1/get", b"{}", {"Content-Type": "text/plain"}, 415),
        ("POST", "/api/v1/get", b"{}", {}, 415),
        ("POST", "/api/v1/get", b"{", JSON, 400),
        ("POST", "/api/v1/get", b"[]", JSON, 400),
        ("POST", "/api/v1/get", b"\xff\xfe", JSON, 400),
        ("POST", "/api/v1/get", b"[" * 100_000, JSON, 400),
        ("POST", "/api/v1/get", b'{"name": ' + b"9" * 5000 + b"}", JSON, 400),
        ("POST", "/api/v1/get", b"", JSON, 400),
        ("POST", "/api/v1/get", b"x" * 3_000_000, JSON, 413),
        ("GET", "/", None, {}, 404),
        ("POST", "/api/v1/get/", b"{}", JSON, 404),
    ],
)
def test_a_bad_request_has_the_one_error_shape(
    api: Api, method: str, path: str, body: bytes | None, headers: dict[str, str], status: int
) -> None:
    reply = api.request(method, path, body, headers)
    assert reply.status == status
    assert set(reply.error) == {"code", "message", "details"}
    assert reply.code in errors.codes()
    assert reply.headers["x-commonplace"] == __version__


@pytest.mark.parametrize("path", ["/healthz", "/mcp", "/nowhere"])
def test_every_answer_says_that_it_is_commonplace(api: Api, path: str) -> None:
    assert api.request("GET", path).headers["x-commonplace"] == __version__


def test_a_chunked_body_over_the_limit_is_refused(api: Api) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", api.port, timeout=30)
    chunks = (b"x" * 65_536 for _ in range(48))
    connection.request("POST", "/api/v1/get", chunks, JSON, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "\ud800"},
        {"\ud800": 1},
        {"name": "x", "scope": "\ud800"},
        {"name": {"a": "\ud800"}},
    ],
)
def test_a_lone_surrogate_gets_a_readable_refusal(api: Api, arguments: dict[str, Any]) -> None:
    reply = api.request("POST", "/api/v1/get", json.dumps(arguments).encode(), JSON)
    assert reply.status == 400
    assert reply.json["error"]["message"]


def test_text_goes_through_unharmed(api: Api) -> None:
    body = "\u65e5\u672c\u8a9e \U0001f9e0 \u202e \r\n\t\ufeff"
    api.call("remember", scope="global", name="json-text", description="d", body=body)
    assert api.call("get", name="json-text").ok["body"] == body


def test_a_conflict_is_409_with_the_current_version(api: Api) -> None:
    api.call("remember", scope="global", name="json-conflict", description="d", body="one")
    reply = api.call("update", name="json-conflict", body="two", expected_version=7)
    assert (reply.status, reply.code) == (409, "VERSION_CONFLICT")
    assert reply.error["details"]["current"]["body"] == "one"
