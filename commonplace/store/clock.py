"""Times that only go forward, whatever the machine's clock does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from commonplace.store.base import Clock

_FORM = "%Y-%m-%dT%H:%M:%S.%fZ"
_STEP = timedelta(microseconds=1)


class Stamps:
    """Strictly increasing stamps; used by the writer thread alone."""

    def __init__(self, clock: Clock, last: str) -> None:
        """Go on from the last stamp the store holds ("" for none)."""
        self._clock = clock
        self._last = last

    def next(self) -> str:
        """Return now, or a microsecond after the last stamp where the clock is not past it."""
        now = self._clock()
        if now <= self._last:
            now = (_parse(self._last) + _STEP).strftime(_FORM)
        self._last = now
        return now


def unix_ms(stamp: str) -> int:
    """Return the stamp as milliseconds since 1970."""
    return int(_parse(stamp).timestamp() * 1000)


def _parse(stamp: str) -> datetime:
    return datetime.strptime(stamp, _FORM).replace(tzinfo=UTC)
