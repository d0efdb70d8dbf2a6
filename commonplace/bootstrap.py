"""The one place that chooses the server's concrete parts and puts them together."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from starlette.applications import Starlette

from commonplace import __version__
from commonplace.embed.base import Embedder
from commonplace.embed.load import load
from commonplace.search.text import prepare
from commonplace.service.context import Context
from commonplace.service.meaning import Meaning
from commonplace.service.rebuilding import Rebuilding
from commonplace.service.times import stamp
from commonplace.settings import BUNDLED_MODEL, NO_MODEL, Settings
from commonplace.store.sqlite import open_store
from commonplace.wire.app import build

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
    meaning = Meaning(store, _model(settings), off=f"COMMONPLACE_MODEL is {NO_MODEL}")
    rebuilding = Rebuilding(store, meaning)
    try:
        meaning.start()
        rebuilding.resume()
        yield Context(
            store=store,
            now=clock,
            entropy=lambda: os.urandom(_ENTROPY_BYTES),
            settings=settings,
            version=__version__,
            meaning=meaning,
            rebuilding=rebuilding,
        )
    finally:
        rebuilding.close()
        meaning.close()
        store.close()


def _model(settings: Settings) -> Callable[[], Embedder] | None:
    """Return what loads the model that was asked for, or None for none."""
    if settings.model == NO_MODEL:
        return None
    chosen = settings.model
    folder = None if chosen == BUNDLED_MODEL else Path(chosen).expanduser()
    return lambda: load(folder, settings.model_threads)


def app(context: Context) -> Starlette:
    """Return the HTTP app over these parts."""
    return build(context)
