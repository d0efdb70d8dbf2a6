"""What an examination finds: a line that is fine, odd or broken, and the command that mends it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warning", "broken"]


@dataclass(frozen=True)
class Finding:
    """One line of the report; `mend` is empty where there is nothing to do."""

    topic: str
    state: State
    text: str
    mend: str = ""


def ok(topic: str, text: str) -> Finding:
    """Return a line about something that is as it should be."""
    return Finding(topic, "ok", text)


def warning(topic: str, text: str, mend: str) -> Finding:
    """Return a line about something that works, but not as it should."""
    return Finding(topic, "warning", text, mend)


def broken(topic: str, text: str, mend: str) -> Finding:
    """Return a line about something that does not work."""
    return Finding(topic, "broken", text, mend)
