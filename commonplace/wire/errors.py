"""The one table from error class to HTTP status, and how an error looks on each wire."""

from __future__ import annotations

import json
from math import ceil
from typing import Any, cast

from starlette.responses import Response

from commonplace import errors
from commonplace.errors import Busy, CommonplaceError
from commonplace.protocol.codec import encode

STATUS: dict[type[CommonplaceError], int] = {
    errors.Refused: 400,
    errors.Invalid: 400,
    errors.UnknownScopeForm: 400,
    errors.TooLarge: 413,
    errors.SecretFound: 422,
    errors.NotFound: 404,
    errors.Exists: 409,
    errors.Ambiguous: 409,
    errors.VersionConflict: 409,
    errors.SelfLink: 422,
    errors.Cycle: 409,
    errors.Unauthorized: 401,
    errors.Forbidden: 403,
    errors.UnknownOperation: 404,
    errors.Failed: 500,
    errors.Busy: 503,
    errors.Unavailable: 503,
    errors.Unreachable: 503,
    errors.Internal: 500,
    errors.StoreError: 503,
    errors.StoreNewer: 503,
    errors.StoreHeld: 503,
    errors.StoreDamaged: 503,
}


def json_response(
    value: object, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """Return a JSON response; a lone surrogate (a caller's own) is sent as its escape."""
    text = json.dumps(encode(value), ensure_ascii=False, separators=(",", ":"))
    body = text.encode("utf-8", "backslashreplace")
    return Response(body, status, headers, media_type="application/json")


def error_response(error: CommonplaceError, status: int | None = None) -> Response:
    """Return `{"error": {code, message, details}}` with its class's status, or the one given."""
    body = {"code": error.code, "message": error.message, "details": error.details}
    wait = {"Retry-After": str(ceil(error.retry_after_s))} if isinstance(error, Busy) else None
    return json_response({"error": body}, status or STATUS[type(error)], wait)


def error_text(error: CommonplaceError) -> str:
    """Return what an agent reads: the code, the sentence, and a conflict's current text."""
    text = f"{error.code}: {error.message}"
    current = error.details.get("current")
    if not isinstance(current, dict):
        return text
    held = cast("dict[str, Any]", current)
    return (
        f"{text}\nCurrent version {held['version']} by {held['author']}:"
        f" {held['description']}\n{fence(str(held['body']))}"
    )


def fence(text: str) -> str:
    """Return text between two fences that nothing inside it can close."""
    longest = run = 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    mark = "`" * max(3, longest + 1)
    return f"{mark}\n{text}\n{mark}"
