"""The one place that chooses the server's concrete parts and puts them together."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime

from starlette.applications import Starlette

from commonplace import __version__
from commonplace.search.text import prepare
from commonplace.service.context import Context
from commonplace.service.meaning import Meaning
from commonplace.service.times import stamp
from commonplace.settings import Settings
from commonplace.store.sqlite import open_store
from commonplace.wire.app import build

MEANING_OFF = "this version searches words only"
_ENTROPY_BYTES = 10


def clock() -> str:
    """Return this machine's time as the store writes it."""
    return stamp(datetime.fromtimestamp(time.time(), UTC))


@contextmanager
def opened(settings: Settings) -> Generator[Context]:
    """Open the store, give the parts the operations work with, and drain waiting writes at the end.

    Raises: StoreError, Unavailable.
    """
    store = open_store(settings.db, prepare=prepare, clock=clock)
    meaning = Meaning(store, None, off=MEANING_OFF)
    try:
        meaning.start()
        yield Context(
            store=store,
            now=clock,
            entropy=lambda: os.urandom(_ENTROPY_BYTES),
            settings=settings,
            version=__version__,
            meaning=meaning,
        )
    finally:
        meaning.close()
        store.close()


def app(context: Context) -> Starlette:
    """Return the HTTP app over these parts."""
    return build(context)
