"""Sends writes: what waits in the outbox first, then the new one, which waits there if it must.

A write has its request id before it is sent for the first time, and keeps it: whatever becomes of
an answer, the server settles each id once.
"""

from __future__ import annotations

import os
import time

from commonplace import errors
from commonplace.clients.api import Api
from commonplace.clients.cache import Seen
from commonplace.clients.outbox import Outbox
from commonplace.clients.outbox_log import Entry
from commonplace.clients.queueing import entry_for
from commonplace.errors import Unreachable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from commonplace.clients.config import ClientConfig

# What can be queued: writes whose meaning does not hang on what the server holds just then.
QUEUEABLE = frozenset({"remember", "update", "forget"})
# How long one command may spend on what waited before it does its own work.
BUDGET_S = 10.0
_OTHER_DELIVERER_S = 5.0
# Not the write's own fault: it stays where it is, and so does all behind it.
_NOT_ITS_FAULT = (errors.Unauthorized, errors.Forbidden)


class Report:
    """What a delivery did; `stopped` is why it ended before everything was sent."""

    __slots__ = ("delivered", "left", "refused", "stopped")

    def __init__(self) -> None:
        """Begin with nothing done."""
        self.delivered: list[Entry] = []
        self.refused: list[Entry] = []
        self.stopped: errors.CommonplaceError | None = None
        self.left = 0


class Delivery:
    """The way of one process's writes to the server its config names."""

    def __init__(self, config: ClientConfig, outbox: Outbox | None = None) -> None:
        """Name the outbox; nothing is read yet."""
        self._config = config
        self._seen = Seen(config.cache_dir)
        self.outbox = outbox or Outbox(config.state_dir)

    def deliver(self, budget_s: float = BUDGET_S) -> Report:
        """Send what waits for this server, in order, until nothing is left or the time is over.

        Where another process is at it already, nothing is done.
        Raises: Unavailable when the outbox cannot be used.
        """
        report = Report()
        if self.outbox.is_empty() or not self.outbox.read().deliverable(self._config.url):
            return report
        deadline = time.monotonic() + budget_s
        with self.outbox.delivering(0.0) as mine:
            if mine:
                self._deliver(report, deadline)
                self.outbox.tidy()
        report.left = len(self.outbox.read().deliverable(self._config.url))
        return report

    def _deliver(self, report: Report, deadline: float) -> None:
        while time.monotonic() < deadline:
            # Read again each time: what was delivered changes what stands on it, others add more.
            ready = self.outbox.read().deliverable(self._config.url)
            if not ready:
                return
            seen: set[tuple[str, str, str]] = set()
            for entry in ready:
                if entry.memory in seen or time.monotonic() >= deadline:
                    break
                seen.add(entry.memory)
                if not self._deliver_one(entry, report):
                    return

    def _deliver_one(self, entry: Entry, report: Report) -> bool:
        """Send one write and settle it; return whether to go on."""
        api = Api(self._config, caller=(entry.agent, entry.host))
        try:
            reply = api.call(entry.operation, entry.arguments)
        except (errors.Busy, errors.Unavailable, *_NOT_ITS_FAULT) as error:
            report.stopped = error
            return False
        except errors.CommonplaceError as error:
            entry.problem = _problem(error)
            self.outbox.refuse(entry.id, entry.problem)
            report.refused.append(entry)
            return True
        self.outbox.settle(entry.id, reply.get("version"))
        self.saw(entry.operation, reply)
        report.delivered.append(entry)
        return True

    def write(
        self,
        operation: str,
        arguments: dict[str, Any],
        *,
        timeout_s: float | None = None,
        guess: Callable[[str], str | None] | None = None,
    ) -> dict[str, Any]:
        """Do a write that can be queued; return the server's reply, or what was queued.

        `guess` says that the scope in the arguments was only tried: it names the one to queue for,
        None where that cannot be known.
        Raises: whatever the server refuses with; Unavailable when it can be neither sent nor kept.
        """
        arguments.setdefault("request_id", os.urandom(16).hex())
        ahead = self._ahead(operation, arguments)
        if ahead is not None:
            why = "refused" if ahead.problem else "not delivered yet"
            why = f"it waits behind {ahead.id}, which was {why}"
            return self.keep(operation, arguments, why, guess=guess)
        try:
            reply = Api(self._config).call(operation, arguments, timeout_s=timeout_s)
        except (errors.Busy, errors.Unavailable) as error:
            sent = not isinstance(error, Unreachable) or error.sent
            return self.keep(operation, arguments, error.message, sent=sent, guess=guess)
        self.saw(operation, reply)
        return reply

    def keep(
        self,
        operation: str,
        arguments: dict[str, Any],
        why: str,
        *,
        sent: bool = False,
        guess: Callable[[str], str | None] | None = None,
    ) -> dict[str, Any]:
        """Put a write into the outbox; return what a caller is told of it.

        `sent` says that the server may have it already.
        Raises: Invalid and its like for what no server would take; Unavailable, with `why` in it,
        when it cannot be kept.
        """
        arguments.setdefault("request_id", os.urandom(16).hex())
        entry = entry_for(self._config, operation, arguments, sent=sent, guess=guess, why=why)
        known = self._seen.version(entry.memory)
        try:
            kept = self.outbox.add(entry, known)
        except errors.Failed as error:
            raise errors.Unavailable(f"{why}; and not queued either: {error.message}") from None
        return {
            "queued": True,
            "id": kept.id,
            "operation": kept.operation,
            "scope": kept.scope,
            "name": kept.name,
            "request_id": kept.request_id,
            "reason": why,
        }

    def _ahead(self, operation: str, arguments: dict[str, Any]) -> Entry | None:
        """Return the kept write to the same memory that must go first, if there is one."""
        if self.outbox.is_empty():
            return None
        entry = entry_for(self._config, operation, arguments, sent=True)
        if not self.outbox.read().about(entry.memory):
            return None
        with self.outbox.delivering(_OTHER_DELIVERER_S):
            held = self.outbox.read().about(entry.memory)
        return held[-1] if held else None

    def saw(self, operation: str, reply: dict[str, Any]) -> None:
        """Remember the version a reply tells of."""
        scope, name, version = reply.get("scope"), reply.get("name"), reply.get("version")
        if isinstance(scope, str) and isinstance(name, str) and isinstance(version, int):
            gone = operation == "forget"
            self._seen.keep((self._config.url, scope, name), None if gone else version)

    def has_seen(self, scope: str, name: str) -> bool:
        """Say whether this machine knows of the memory: seen before, or waiting in the outbox."""
        memory = (self._config.url, scope, name)
        if self._seen.version(memory) is not None:
            return True
        return not self.outbox.is_empty() and bool(self.outbox.read().about(memory))


def _problem(error: errors.CommonplaceError) -> dict[str, Any]:
    return {
        "code": error.code,
        "message": error.message,
        "details": error.details,
        "at": time.time(),
    }
