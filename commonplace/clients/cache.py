"""The last index of each server, host and project, the versions seen, the sessions answered.

Everything here may fail without harm: a cache that cannot be read is empty, one that cannot be
written is left alone.
"""

from __future__ import annotations

import os

from commonplace.clients import light_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MAX_BYTES = 1024 * 1024
_PRIME = 2**127 - 1
_MOMENT_S = 10.0
_KEEP_SESSIONS_S = 14 * 24 * 3600.0


class Cached:
    """An index as it was; `age_s` is never negative."""

    __slots__ = ("age_s", "text")

    def __init__(self, text: str, age_s: float) -> None:
        """Hold the text and how old it is in seconds."""
        self.text = text
        self.age_s = age_s


class IndexCache:
    """One file for each (server URL, host, project), readable by its owner only."""

    def __init__(self, folder: str) -> None:
        """Name the client's cache folder; nothing is made until something is kept."""
        self._folder = f"{folder}/index"

    def keep(self, key: tuple[str, str, str], text: str, now_s: float) -> None:
        """Replace what is kept for the key.

        Units: now_s is Unix time.
        """
        entry = {"key": list(key), "saved_at": now_s, "text": text}
        _write(self._path(key), light_json.dumps(entry).encode("utf-8", "replace"))

    def last(self, key: tuple[str, str, str], now_s: float) -> Cached | None:
        """Return what was kept last for exactly this key."""
        entry = _read(self._path(key))
        if entry is None or entry.get("key") != list(key):
            return None
        text, saved_at = entry.get("text"), entry.get("saved_at")
        if not isinstance(text, str) or not isinstance(saved_at, (int, float)):
            return None
        return Cached(text, max(now_s - saved_at, 0.0))

    def _path(self, key: tuple[str, str, str]) -> str:
        name = _digest("\n".join(key))
        return f"{self._folder}/{name}.json"


class Seen:
    """Which version of each memory this machine last saw, one small file a memory."""

    def __init__(self, folder: str) -> None:
        """Name the client's cache folder."""
        self._folder = f"{folder}/seen"

    def keep(self, memory: tuple[str, str, str], version: int | None) -> None:
        """Remember the version of a memory (server URL, scope, name); None: it is not there."""
        entry = {"memory": list(memory), "version": version}
        _write(self._path(memory), light_json.dumps(entry).encode("utf-8", "replace"))

    def version(self, memory: tuple[str, str, str]) -> int | None:
        """Return the version seen last, None for a memory that was never seen or was forgotten."""
        entry = _read(self._path(memory)) or {}
        version = entry.get("version")
        same = entry.get("memory") == list(memory)
        return version if same and isinstance(version, int) else None

    def _path(self, memory: tuple[str, str, str]) -> str:
        name = _digest("\n".join(memory))
        return f"{self._folder}/{name}.json"


class Served:
    """Marks of the sessions that have been answered, so that two hooks of one agent say it once."""

    def __init__(self, folder: str) -> None:
        """Name the client's cache folder."""
        self._folder = f"{folder}/sessions"

    def claim(self, what: str, now_s: float, *, for_good: bool) -> bool:
        """Return whether this caller is the first; not `for_good`, the claim lapses after a moment.

        Where no mark can be made every caller is: better twice than not at all.
        """
        path = f"{self._folder}/{_digest(what)}"
        try:
            if _create(path):
                os.utime(path, (now_s, now_s))
                self._prune(path, now_s)
                return True
            if for_good or 0.0 <= now_s - os.stat(path).st_mtime < _MOMENT_S:
                return False
            os.utime(path, (now_s, now_s))
        except OSError:
            return True
        return True

    def _prune(self, path: str, now_s: float) -> None:
        """Clear old marks now and then: at one new mark of sixteen."""
        if not path.endswith("0"):
            return
        for entry in os.scandir(self._folder):
            if now_s - entry.stat().st_mtime > _KEEP_SESSIONS_S:
                os.unlink(entry.path)


def age_in_words(age_s: float) -> str:
    """Return an age as a person says it."""
    for unit, size_s in (("day", 86400), ("hour", 3600), ("minute", 60)):
        count = int(age_s // size_s)
        if count:
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "less than a minute ago"


def _digest(text: str) -> str:
    """Return a short file name for a text; what an index is of stands in its file and is compared.

    A remainder will do, and costs nothing: loading hashlib takes a tenth of the hook's time.
    """
    number = int.from_bytes(text.encode("utf-8", "surrogatepass"), "big")
    return f"{number % _PRIME:032x}"


def _create(path: str) -> bool:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        os.close(os.open(path, flags, 0o600))
    except FileExistsError:
        return False
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        os.close(os.open(path, flags, 0o600))
    return True


def _read(path: str) -> dict[str, Any] | None:
    try:
        with open(path, "rb") as file:
            return light_json.loads_object(file.read(_MAX_BYTES))
    except OSError:
        return None


def _write(path: str, data: bytes) -> None:
    draft = f"{path}.{os.getpid()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    try:
        try:
            descriptor = os.open(draft, flags, 0o600)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            descriptor = os.open(draft, flags, 0o600)
        try:
            os.write(descriptor, data)
        finally:
            os.close(descriptor)
        os.replace(draft, path)
    except OSError:
        # A full or read-only disk must not cost the session its index.
        return
