"""What of an agent's payload matters here; everything unknown reduces to a plain session start."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SESSION_START = "SessionStart"
# The transcript of a session taken up again still holds the index of its start.
_HOLDS_INDEX = frozenset({"resume", "fork"})
_AT_BEGIN = frozenset({"startup", "new"})


class Event:
    """A session's start.

    `cwd` None means this process's own folder. `wants_index` is False where the agent has it
    already. `once` names what must be answered only once, None where that cannot be told; it
    holds for good when `for_good`, else for a moment (a session may be compacted again).
    """

    __slots__ = ("cwd", "for_good", "name", "once", "wants_index")

    def __init__(self, payload: dict[str, Any]) -> None:
        """Reduce a payload, whichever agent's key style it has."""
        source = _text(payload, "source") or "startup"
        session = _text(payload, "session_id", "sessionId", "conversation_id")
        cwd = _text(payload, "cwd")
        name = _text(payload, "hook_event_name", "hookEventName")
        self.cwd = cwd if os.path.isabs(cwd) else None
        # Only a name an agent could have; Codex refuses an answer to another event than it asked.
        self.name = name if name.isalnum() and name[0].isupper() else SESSION_START
        self.wants_index = source not in _HOLDS_INDEX
        self.once = f"{session}\n{source}\n{self.name}" if session else None
        self.for_good = source in _AT_BEGIN


def _text(payload: dict[str, Any], *keys: str) -> str:
    for key in keys:
        value = payload.get(key)
        if isinstance(value, str) and value and len(value) <= 4096:
            return value
    return ""
