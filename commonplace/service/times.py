"""Times as people write them, and ages as people read them; always UTC."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time

from commonplace.errors import Invalid

NEVER = "never"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_FORM = "a date (2027-01-31, to its end in UTC) or a time with its zone (2027-01-31T12:00:00Z)"
_UNITS = (("y", 31_557_600), ("mo", 2_629_800), ("d", 86_400), ("h", 3_600), ("m", 60))


def stamp(moment: datetime) -> str:
    """Return a moment in the one stored form, `YYYY-MM-DDTHH:MM:SS.ffffffZ`."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def read_expiry(text: str) -> str:
    """Return the stored form of an expiry; `never` gives "", which takes an expiry away.

    Raises: Invalid, naming the two forms there are.
    """
    value = text.strip()
    if value.lower() == NEVER:
        return ""
    try:
        if _DATE.fullmatch(value):
            return stamp(datetime.combine(date.fromisoformat(value), time.max, UTC))
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is not None:
            return stamp(moment)
    except (ValueError, OverflowError):
        pass
    raise Invalid(f"expires {text[:60]!a} is no time; give {_FORM}, or '{NEVER}'", field="expires")


def age(then: str, now: str) -> str:
    """Return how long ago in one short word: `now`, `5m`, `3h`, `12d`, `4mo`, `2y`."""
    seconds = (datetime.fromisoformat(now) - datetime.fromisoformat(then)).total_seconds()
    for unit, size in (
        ("y", 31_557_600),
        ("mo", 2_629_800),
        ("d", 86_400),
        ("h", 3_600),
        ("m", 60),
    ):
        if seconds >= size:
            return f"{int(seconds // size)}{unit}"
    return "now"
