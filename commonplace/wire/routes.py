"""Plain JSON: `POST /api/v1/<operation>`, and `GET /healthz`."""

from __future__ import annotations

import json

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from commonplace.errors import CommonplaceError, Internal, Invalid, NotFound
from commonplace.service.operations import find
from commonplace.wire.calls import Calls, caller_of
from commonplace.wire.errors import error_response, json_response

API = "/api/v1/{operation}"
HEALTH = "/healthz"
_JSON = "application/json"


class Routes:
    """The endpoints that speak JSON."""

    def __init__(self, calls: Calls) -> None:
        """Take what runs the operations."""
        self._calls = calls

    async def operation(self, request: Request) -> Response:
        """Run the operation the path names with the JSON object in the body."""
        try:
            operation = find(request.path_params["operation"])
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != _JSON:
                wrong = Invalid(
                    f"send the arguments as {_JSON}, not {ascii(kind[:60]) or 'nothing'}"
                )
                return error_response(wrong, 415)
            raw = _parse(await request.body())
            reply = await self._calls.run(operation, raw, caller_of(request.headers))
        except CommonplaceError as error:
            return error_response(error)
        return json_response(reply)

    async def health(self, _request: Request) -> Response:
        """Say that this is commonplace, and whether its store works."""
        context = self._calls.context
        said: dict[str, object] = {
            "service": "commonplace",
            "status": "ok",
            "version": context.version,
            "meaning": context.meaning.state(),
        }
        try:
            store = await self._calls.health()
            said["store"] = store
            if not (store.get("readable") and store.get("writable")):
                said["status"] = "failing"
        except CommonplaceError as error:
            said.update(status="failing", store={"error": error.code, "message": error.message})
        return json_response(said, 200 if said["status"] == "ok" else 503)


async def http_error(_request: Request, error: Exception) -> Response:
    """Give what no operation answered (no such path, wrong method, our fault) the one shape."""
    if not isinstance(error, HTTPException):
        return error_response(Internal("the server failed, its log says why; try again"))
    status = error.status_code
    if status == 405:
        refused: CommonplaceError = Invalid(
            "wrong HTTP method: operations take POST, /healthz takes GET"
        )
    else:
        refused = NotFound("no such path; there are /mcp, /api/v1/<operation> and /healthz")
    response = error_response(refused, status)
    if error.headers:
        response.headers.update(error.headers)
    return response


def _parse(body: bytes) -> object:
    if not body.strip():
        return {}
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        # Not only bad syntax: too many digits in a number, brackets nested too deep, not UTF-8.
        raise Invalid('the body is not valid JSON; send an object such as {"name": "x"}') from None
