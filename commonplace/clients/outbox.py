"""The outbox: writes that could not be delivered yet, kept on this machine's own disk.

It holds them in clear, readable by its owner only. One writer at a time holds its lock for moments;
one deliverer at a time holds another, so that what is queued is sent in its order.
"""

from __future__ import annotations

import os
from contextlib import contextmanager

from commonplace.clients import outbox_log
from commonplace.clients.outbox_file import LineFile, lock
from commonplace.clients.outbox_log import Entry, Log
from commonplace.errors import Exists, NotFound, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any

MAX_BYTES = 64 * 1024 * 1024
# Settled lines are cleared away once there are so many, or nothing else is left.
_MOST_SETTLED = 1000


class Outbox:
    """The outbox of one user on one machine, for all the servers it writes to."""

    def __init__(self, state_dir: str) -> None:
        """Name the client's state folder; nothing is made until something is queued."""
        self._file = LineFile(f"{state_dir}/outbox.jsonl")
        self.path = self._file.path
        self.torn_path = self._file.torn_path

    def is_empty(self) -> bool:
        """Say whether nothing at all is kept, at the cost of one look at the disk."""
        try:
            return os.stat(self.path).st_size == 0
        except OSError:
            return True

    def read(self, limit_bytes: int = -1) -> Log:
        """Return what is kept.

        Raises: Unavailable when the file cannot be read.
        """
        return Log(self._file.read(limit_bytes))

    def add(self, entry: Entry, known_version: int | None) -> Entry:
        """Keep a write, on the disk before this returns; one that is kept already stays as it is.

        `known_version` is the one this machine last saw of the memory: a newer one at the server
        will be a conflict.
        Raises: Exists when a memory of that name is queued already; Unavailable, Busy when it
        cannot be kept.
        """
        with self._file.locked():
            log = self._whole_log()
            for held in log.entries.values():
                if held.url == entry.url and held.request_id == entry.request_id:
                    return held
            self._place(entry, log, known_version)
            line = entry.line()
            if not self.is_empty() and os.stat(self.path).st_size + len(line) > MAX_BYTES:
                raise Unavailable(f"the outbox {self.path} is full; see `commonplace outbox`")
            self._file.append([line])
        return entry

    def settle(self, id_: str, version: object) -> None:
        """Take out a write that the server has."""
        # Lost in a crash, this line only makes the same request be sent once more.
        self._record(outbox_log.done_line(id_, version), durable=False)

    def refuse(self, id_: str, problem: dict[str, Any]) -> None:
        """Keep a write as refused, with the reason."""
        self._record(outbox_log.refused_line(id_, problem))

    def drop(self, id_: str) -> Entry:
        """Take out a write for good.

        Raises: NotFound.
        """
        return self._change(id_, lambda _: outbox_log.dropped_line(id_))

    def retry(self, id_: str, change: Callable[[Entry], dict[str, Any]] | None = None) -> Entry:
        """Let a refused write wait again; `change` gives operation and arguments to send instead.

        Raises: NotFound, and what `change` raises.
        """

        def line(entry: Entry) -> bytes:
            return outbox_log.retried_line(id_, **(change(entry) if change is not None else {}))

        return self._change(id_, line)

    @contextmanager
    def delivering(self, wait_s: float) -> Generator[bool]:
        """Be the one that delivers; give False where another is at it for all of `wait_s`."""
        with lock(f"{self.path}.delivery", wait_s) as mine:
            yield mine

    def tidy(self) -> None:
        """Clear settled lines away when nothing else is left, or there are many of them."""
        with self._file.locked():
            log = self._whole_log()
            if log.lines and (not log.entries or log.lines - len(log.entries) > _MOST_SETTLED):
                self._file.replace(log.whole())

    def _place(self, entry: Entry, log: Log, known_version: int | None) -> None:
        """Give a new entry its id, and what it stands on."""
        entry.id = os.urandom(3).hex()
        while entry.id in log.entries:
            entry.id = os.urandom(3).hex()
        before = log.about(entry.memory)
        if entry.sent:
            return
        open_to_all = entry.operation != "remember" and "expected_version" not in entry.arguments
        if not before:
            if open_to_all and known_version is not None:
                entry.arguments = {**entry.arguments, "expected_version": known_version}
            return
        last = before[-1]
        if entry.operation == "remember" and last.operation != "forget":
            raise Exists(
                f"{entry.scope} {entry.name} waits in the outbox already ({last.id}): update it,"
                " or choose another name",
                scope=entry.scope,
                name=entry.name,
                id=last.id,
            )
        if open_to_all:
            entry.after = last.id

    def _record(self, line: bytes, *, durable: bool = True) -> None:
        with self._file.locked():
            self._file.append([line], durable=durable)

    def _change(self, id_: str, line: Callable[[Entry], bytes]) -> Entry:
        with self._file.locked():
            entry = self._whole_log().entries.get(id_)
            if entry is None:
                raise NotFound(f"no write {id_[:20]!a} in the outbox; see `commonplace outbox`")
            self._file.append([line(entry)])
        return entry

    def _whole_log(self) -> Log:
        """Return what is kept, with lines that are none moved aside; only for the one writer."""
        log = self.read()
        if log.damaged:
            for raw in log.damaged:
                self._file.set_aside(raw)
            self._file.replace(log.whole())
        return log
