"""What an agent hands its hook: one JSON object on standard input, or nothing, or rubbish."""

from __future__ import annotations

import _thread
import os
import time

from commonplace.clients import light_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CHUNK = 256 * 1024
_MAX_BYTES = 16 * 1024 * 1024


def read(descriptor: int, idle_s: float, most_s: float) -> dict[str, Any]:
    """Return the object on the descriptor; {} when there is none in time.

    A terminal is not read, and a pipe that stays open is left once the object is whole.
    Units: idle_s is how long to wait for more, most_s for all of it, in seconds.
    """
    try:
        if os.isatty(descriptor):
            return {}
    except OSError:
        return {}
    chunks: list[bytes] = []
    found: list[dict[str, Any]] = []
    done = _thread.allocate_lock()
    done.acquire()

    def collect() -> None:
        try:
            found.append(_collect(descriptor, chunks))
        finally:
            done.release()

    # A read cannot be given a time limit everywhere; the thread is left behind in it, and the
    # process ends without waiting for it.
    _thread.start_new_thread(collect, ())
    over = time.monotonic() + most_s
    seen = -1
    while len(chunks) > seen and (left_s := over - time.monotonic()) > 0:
        seen = len(chunks)
        if done.acquire(timeout=min(idle_s, left_s)):
            break
    return found[0] if found else {}


def _collect(descriptor: int, chunks: list[bytes]) -> dict[str, Any]:
    size = 0
    while size <= _MAX_BYTES:
        try:
            chunk = os.read(descriptor, _CHUNK)
        except OSError:
            chunk = b""
        chunks.append(chunk)
        size += len(chunk)
        if not chunk:
            return light_json.loads_object(b"".join(chunks)) or {}
        # Only where an object may have ended is it worth looking whether it has.
        if chunk.rstrip()[-1:] in {b"}", b""}:
            value = light_json.loads_object(b"".join(chunks))
            if value is not None:
                return value
    return {}
