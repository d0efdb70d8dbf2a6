"""What every operation is given: the parts it works with, and who is asking."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from commonplace.domain.ids import uuid7
from commonplace.domain.text import one_line
from commonplace.service.meaning import Meaning
from commonplace.service.rebuilding import Rebuilding
from commonplace.settings import Settings
from commonplace.store.base import Clock, Store

UNKNOWN = "unknown"
_WHO_MAX = 64


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is asking, as the wire learned it; both parts are shown, never trusted."""

    agent: str = UNKNOWN
    host: str = UNKNOWN

    def author(self, agent: str | None = None) -> str:
        """Return `agent@host`; the argument of a call goes before what the wire learned."""
        return f"{_who(agent or self.agent)}@{_who(self.host)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The parts an operation works with."""

    store: Store
    now: Clock
    entropy: Callable[[], bytes]
    settings: Settings
    version: str
    meaning: Meaning
    rebuilding: Rebuilding

    def new_id(self, now: str) -> str:
        """Return a fresh UUIDv7 for this moment."""
        unix_ms = int(datetime.fromisoformat(now).timestamp() * 1000)
        return uuid7(unix_ms, self.entropy())


def _who(text: str) -> str:
    return one_line(text, _WHO_MAX).replace("@", "-").replace(" ", "-") or UNKNOWN
