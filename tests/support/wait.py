"""Waiting on a condition, bounded."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def until(condition: Callable[[], T], what: str, within_s: float = 30.0) -> T:
    """Return the condition's first true value; fail when the time is over."""
    deadline = time.monotonic() + within_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {within_s:g} s in vain for {what}")
        time.sleep(0.01)
