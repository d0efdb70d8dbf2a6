"""Makes the record of a write that must wait, after the checks that need no server."""

from __future__ import annotations

import time

from commonplace import errors
from commonplace.clients.outbox_log import Entry
from commonplace.domain import scope as scopes
from commonplace.domain.text import check_body, check_description, check_name
from commonplace.protocol import requests
from commonplace.protocol.codec import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from commonplace.clients.config import ClientConfig

_REQUESTS: dict[str, type[Any]] = {
    "remember": requests.RememberRequest,
    "update": requests.UpdateRequest,
    "forget": requests.ForgetRequest,
}


def entry_for(
    config: ClientConfig,
    operation: str,
    arguments: dict[str, Any],
    *,
    sent: bool,
    guess: Callable[[str], str | None] | None = None,
    why: str = "",
) -> Entry:
    """Return the record of a write; its scope is settled here, for later nobody could.

    What may have been sent already stays exactly as it was.
    Raises: Invalid and its like for what no server would take; Unavailable when the scope is not
    known.
    """
    name, scope = _checked(operation, arguments)
    if not sent and (guess is not None or scope is None):
        scope = guess(name) if guess is not None else None
        if scope is None:
            raise errors.Unavailable(
                f"{why}; not queued: which scope holds {name} is not known here, say it with"
                " --scope project, host or global",
                name=name,
            )
        arguments = {**arguments, "scope": scope}
    values = {
        "id": "",
        "url": config.url,
        "operation": operation,
        "arguments": dict(arguments),
        "scope": scope or "",
        "name": name,
        "host": config.host,
        "agent": config.agent,
        "queued_at": time.time(),
        "sent": sent,
    }
    return Entry(values)


def _checked(operation: str, arguments: dict[str, Any]) -> tuple[str, str | None]:
    """Return the memory's name and scope in their one form, once the rest is well-formed too."""
    request: Any = decode(_REQUESTS[operation], arguments)
    description, body = getattr(request, "description", None), getattr(request, "body", None)
    if description is not None:
        check_description(description)
    if body is not None:
        check_body(body)
    scope = None if request.scope is None else scopes.parse(request.scope)
    return check_name(request.name), scope
