"""What the outbox's lines say: pure, from lines to the writes that wait, and back to lines."""

from __future__ import annotations

from commonplace.clients import light_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_FIELDS = ("id", "url", "operation", "arguments", "scope", "name", "host", "agent", "queued_at")


class Entry:
    """One write that is kept.

    `scope` and `name` say which memory it is about, in their one form. `sent` says that the server
    may have had it already, so that it must be sent again exactly as it was. `after` is the id of
    the write to the same memory it was made upon. `problem` is the refusal (code, message,
    details, at), None while it waits.
    Units: queued_at is Unix time.
    """

    __slots__ = (*_FIELDS, "after", "problem", "sent")

    id: str
    url: str
    operation: str
    arguments: dict[str, Any]
    scope: str
    name: str
    host: str
    agent: str
    queued_at: float

    def __init__(self, values: dict[str, Any]) -> None:
        """Take the fields by name.

        Raises: KeyError for one that is missing.
        """
        for field in _FIELDS:
            setattr(self, field, values[field])
        self.sent = bool(values.get("sent"))
        self.after: str | None = values.get("after")
        self.problem: dict[str, Any] | None = values.get("problem")

    @property
    def request_id(self) -> str:
        """Return what makes a repeat of it safe."""
        return str(self.arguments.get("request_id", ""))

    @property
    def memory(self) -> tuple[str, str, str]:
        """Return server, scope and name: what it is about."""
        return self.url, self.scope, self.name

    def line(self) -> bytes:
        """Return the line that queues it."""
        values: dict[str, Any] = {field: getattr(self, field) for field in _FIELDS}
        more = {"sent": self.sent, "after": self.after, "problem": self.problem}
        return _line({"event": "queued", **values, **{k: held for k, held in more.items() if held}})


class Log:
    """The entries that still matter, in the order in which they were queued."""

    def __init__(self, lines: Iterable[bytes] = ()) -> None:
        """Read lines; what is no line of an outbox is kept in `damaged`."""
        self.entries: dict[str, Entry] = {}
        self.damaged: list[bytes] = []
        self.lines = 0
        for raw in lines:
            self.lines += 1
            value = light_json.loads_object(raw)
            try:
                self._take(value or {})
            except (KeyError, TypeError):
                self.damaged.append(raw)

    def _take(self, value: dict[str, Any]) -> None:
        event, id_ = value["event"], str(value["id"])
        if event == "queued":
            self.entries[id_] = Entry(value)
        elif event == "done":
            self.done(id_, value.get("version"))
        elif event == "refused":
            self.refused(id_, value["problem"])
        elif event == "dropped":
            self.dropped(id_)
        elif event == "retried":
            self.retried(id_, value.get("operation"), value.get("arguments"))
        else:
            raise KeyError(event)

    def done(self, id_: str, version: object) -> None:
        """Take out a write that was delivered; the next one to its memory is made upon it."""
        gone = self.entries.pop(id_, None)
        if gone is not None and isinstance(version, int):
            self._rebase(gone, None, version)

    def dropped(self, id_: str) -> None:
        """Take out a write that is not wanted any more; the next stands on what it stood on."""
        gone = self.entries.pop(id_, None)
        if gone is not None:
            self._rebase(gone, gone.after, gone.arguments.get("expected_version"))

    def refused(self, id_: str, problem: dict[str, Any]) -> None:
        """Mark a write the server would not take."""
        if id_ in self.entries:
            self.entries[id_].problem = problem

    def retried(self, id_: str, operation: str | None, arguments: dict[str, Any] | None) -> None:
        """Let a refused write wait again, changed where arguments are given."""
        entry = self.entries.get(id_)
        if entry is not None:
            entry.problem = None
            entry.operation = operation or entry.operation
            if arguments is not None:
                entry.arguments, entry.sent, entry.after = arguments, False, None

    def _rebase(self, gone: Entry, after: str | None, version: object) -> None:
        for entry in self.entries.values():
            if entry.after != gone.id:
                continue
            entry.after = after
            if after is None and version is not None and entry.operation != "remember":
                entry.arguments = {"expected_version": version, **entry.arguments}

    def about(self, memory: tuple[str, str, str]) -> list[Entry]:
        """Return what is kept for one memory, oldest first."""
        return [entry for entry in self.entries.values() if entry.memory == memory]

    def deliverable(self, url: str) -> list[Entry]:
        """Return what can be sent to a server, in order: all that waits behind no refusal."""
        blocked: set[tuple[str, str, str]] = set()
        ready: list[Entry] = []
        for entry in self.entries.values():
            if entry.problem is not None:
                blocked.add(entry.memory)
            elif entry.url == url and entry.memory not in blocked:
                ready.append(entry)
        return ready

    def counts(self) -> tuple[int, int]:
        """Return how many wait and how many were refused."""
        refused = sum(entry.problem is not None for entry in self.entries.values())
        return len(self.entries) - refused, refused

    def whole(self) -> list[bytes]:
        """Return the fewest lines that say the same."""
        return [entry.line() for entry in self.entries.values()]


def done_line(id_: str, version: object) -> bytes:
    """Return the line that says a write was delivered as this version."""
    return _line({"event": "done", "id": id_, "version": version})


def refused_line(id_: str, problem: dict[str, Any]) -> bytes:
    """Return the line that says why a write was refused."""
    return _line({"event": "refused", "id": id_, "problem": problem})


def dropped_line(id_: str) -> bytes:
    """Return the line that says a write is not wanted any more."""
    return _line({"event": "dropped", "id": id_})


def retried_line(
    id_: str, operation: str | None = None, arguments: dict[str, Any] | None = None
) -> bytes:
    """Return the line that lets a refused write wait again."""
    change = {"operation": operation, "arguments": arguments} if arguments is not None else {}
    return _line({"event": "retried", "id": id_, **change})


def _line(value: dict[str, Any]) -> bytes:
    return light_json.dumps(value).encode("utf-8")
