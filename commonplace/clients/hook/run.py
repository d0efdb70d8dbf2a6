"""Runs the session-start hook: one deadline over everything, and nothing but an envelope on stdout.

This is the one place of the package that swallows failures: a session must start whatever happens.
"""

from __future__ import annotations

import _thread
import os
import time

from commonplace import errors
from commonplace.clients import cache, config, scope
from commonplace.clients.api import Api
from commonplace.clients.hook import envelope, payload
from commonplace.clients.hook.event import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

# From the start of the process. All must be over within 1.5 s, on a busy machine too.
TOTAL_S = 1.25
_SERVER_S = 1.1
_STDIN_IDLE_S = 0.5
_STDIN_S = 0.85
_LEAST_S = 0.05
_MAX_REPLY_BYTES = 256 * 1024
# What the label of a cached index may take of the budget.
_LABEL_BYTES = 200
_BUDGET_MIN = 2_000

_SETTINGS = {f"--{each.name.replace('_', '-')}": each.name for each in config.SETTINGS}
_AGENTS = {"claude": "claude-code"}


class Options:
    """What the hook's command line asked for; `complaints` is what it did not understand."""

    __slots__ = ("budget", "client", "complaints", "overrides")

    def __init__(self, arguments: list[str]) -> None:
        """Read the options; a mistake there must not cost a session its index."""
        self.client = "claude"
        self.budget = envelope.MAX_BYTES
        self.overrides: dict[str, str | None] = {}
        self.complaints: list[str] = []
        left = list(arguments)
        while left:
            name, equals, value = left.pop(0).partition("=")
            if not equals and left and not left[0].startswith("--"):
                value = left.pop(0)
            self._take(name, value)

    def _take(self, name: str, value: str) -> None:
        if name == "--client" and value in envelope.CLIENTS:
            self.client = value
        elif name == "--budget" and value.isascii() and value.isdigit():
            self.budget = max(min(int(value[:9]), envelope.MAX_BYTES), _BUDGET_MIN)
        elif name in _SETTINGS and value:
            self.overrides[_SETTINGS[name]] = value
        else:
            self.complaints.append(f"{ascii(name)[1:-1][:40]} was not understood")


class Outcome:
    """What to print: bytes for stdout, at most one line for stderr."""

    __slots__ = ("keep", "note", "output")

    def __init__(self) -> None:
        """Begin with nothing to say."""
        self.output = b""
        self.note = ""
        self.keep: tuple[cache.IndexCache, tuple[str, str, str], str] | None = None


def main(arguments: list[str]) -> NoReturn:
    """Answer the agent and end the process with code 0, whatever happens."""
    started = time.monotonic() - _process_age_s()
    outcome = Outcome()
    outcome.note = "memory is unavailable: it took too long"
    settled = _thread.allocate_lock()
    settled.acquire()
    found: list[Outcome] = []

    def work() -> None:
        try:
            found.append(answer(arguments, started))
        finally:
            settled.release()

    # A look-up of a name or a read from a dead file server cannot be interrupted, only left.
    _thread.start_new_thread(work, ())
    if settled.acquire(timeout=max(started + TOTAL_S - time.monotonic(), _LEAST_S)) and found:
        outcome = found[0]
    _emit(outcome)
    os._exit(0)


def answer(arguments: list[str], started: float) -> Outcome:
    """Return what the hook says; never raises.

    Units: started is the process's start as a `time.monotonic()` instant.
    """
    outcome = Outcome()
    try:
        _answer(Options(arguments), started, outcome)
    except errors.CommonplaceError as error:
        outcome.note = f"memory is unavailable: {error.message}"
    except Exception as error:  # noqa: BLE001 - a fault of ours must not break the session either
        outcome.note = f"memory is unavailable: unexpected {type(error).__name__}"
    return outcome


def _answer(options: Options, started: float, outcome: Outcome) -> None:
    outcome.note = "; ".join(options.complaints)
    left_s = started + _STDIN_S - time.monotonic()
    event = Event(payload.read(0, min(_STDIN_IDLE_S, left_s), left_s))
    if not event.wants_index:
        return
    overrides = options.overrides
    settings = config.load(**overrides)
    if settings.sources["agent"] == config.FROM_DEFAULT:
        agent = _AGENTS.get(options.client, options.client)
        settings = config.load(**overrides, agent=agent)
    where = scope.resolve(event.cwd, config=settings)
    kept = cache.IndexCache(settings.cache_dir)
    key = (settings.url, where.host, where.project or "")
    try:
        text = _ask(settings, where, options.budget, started)
        outcome.keep = (kept, key, text)
    except errors.Failed as error:
        outcome.note = f"memory is unavailable: {error.message}"
        last = kept.last(key, time.time())
        if last is None:
            return
        age = cache.age_in_words(last.age_s)
        outcome.note = f"the memory server is away, its index of {age} is shown: {error.message}"
        text = f"(The memory server is away; this is its index of {age} and may be out of date.)\n"
        text += last.text
    served = cache.Served(settings.cache_dir)
    if event.once and not served.claim(event.once, time.time(), for_good=event.for_good):
        return
    outcome.output = envelope.fitting(text, options.client, event.name, options.budget)


def _ask(
    settings: config.ClientConfig, where: scope.Resolution, budget: int, started: float
) -> str:
    arguments: dict[str, object] = {
        "host": where.host,
        "budget": max(budget - _LABEL_BYTES, _BUDGET_MIN),
    }
    if where.project:
        arguments["project"] = where.project
    left_s = max(started + _SERVER_S - time.monotonic(), _LEAST_S)
    api = Api(settings, max_bytes=_MAX_REPLY_BYTES)
    text = api.call("index", arguments, timeout_s=min(left_s, settings.timeout_s)).get("text")
    if not isinstance(text, str):
        raise errors.Unavailable(
            f"the server at {settings.url} gave no index; upgrade it or this client"
        )
    return text


def _emit(outcome: Outcome) -> None:
    _write_all(1, outcome.output + b"\n" if outcome.output else b"")
    if outcome.note:
        line = " ".join(outcome.note.split())
        _write_all(2, f"commonplace: {line}\n".encode("utf-8", "replace"))
    if outcome.keep is not None:
        kept, key, text = outcome.keep
        kept.keep(key, text, time.time())


def _write_all(descriptor: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except OSError:
        # Nobody reads any more: there is nobody to tell.
        return


def _process_age_s() -> float:
    """Return how long this process has been running: its interpreter's start counts too."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read(4096).rpartition(b")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.1  # where it cannot be asked: a slow start's
    return age if 0.0 <= age < 60.0 else 0.1
