"""Bound every request's body, whatever route it is for."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commonplace.errors import TooLarge
from commonplace.wire.errors import error_response

# A client that is still sending cannot read an answer: so much more is taken in, and thrown away.
_DRAIN = 16 * 1024 * 1024


class _GoneError(Exception):
    """The client went away before it had sent all."""


class BodyLimit:
    """Read the body before anything else does, and answer 413 if it is over the limit."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        """Wrap an app; `limit` is in bytes."""
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            body = await self._read(receive)
        except _GoneError:
            return
        if body is None:
            error = TooLarge(
                f"the request is over {self._limit} bytes; nothing of it was stored",
                limit=self._limit,
            )
            await error_response(error)(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)

    async def _read(self, receive: Receive) -> bytes | None:
        """Return the body, None if it is over the limit; a part of a body is never served."""
        chunks: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _GoneError
            chunk: bytes = message.get("body", b"")
            size += len(chunk)
            if size <= self._limit:
                chunks.append(chunk)
            if not message.get("more_body", False) or size > self._limit + _DRAIN:
                return b"".join(chunks) if size <= self._limit else None


def _replay(body: bytes, receive: Receive) -> Receive:
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return messages.pop() if messages else await receive()

    return replayed
