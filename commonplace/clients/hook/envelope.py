"""The one JSON line each agent takes an index from, held under the caps at which agents cut it."""

from __future__ import annotations

from commonplace.clients import light_json

# Claude Code cuts at 10,000 UTF-16 units, Codex at about 10,000 bytes. A text never has more UTF-16
# units than UTF-8 bytes, so bytes bound both.
MAX_BYTES = 9_500
CLIENTS = ("claude", "codex", "gemini", "copilot", "cursor")

_CUT = "(Cut here to fit; recall finds the rest.)"


def wrap(text: str, client: str, event_name: str) -> str:
    """Return the envelope a client takes: nested, top-level or Cursor's own."""
    if client == "copilot":
        return light_json.dumps({"additionalContext": text})
    if client == "cursor":
        return light_json.dumps({"additional_context": text})
    output = {"hookEventName": event_name, "additionalContext": text}
    return light_json.dumps({"hookSpecificOutput": output})


def fitting(text: str, client: str, event_name: str, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the envelope's bytes, with lines left out at the end where it would pass the cap.

    The server composes its text to fit; this holds for a text that was labelled, or a server's that
    reckons otherwise.
    """
    made = _encoded(text, client, event_name)
    if len(made) <= max_bytes:
        return made
    lines = text.split("\n")
    fewest, most = 0, len(lines)
    while fewest < most:
        middle = (fewest + most + 1) // 2
        made = _encoded("\n".join([*lines[:middle], _CUT]), client, event_name)
        if len(made) <= max_bytes:
            fewest = middle
        else:
            most = middle - 1
    return _encoded("\n".join([*lines[:fewest], _CUT]), client, event_name)


def _encoded(text: str, client: str, event_name: str) -> bytes:
    return wrap(text, client, event_name).encode("utf-8", "replace")
