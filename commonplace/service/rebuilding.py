"""Makes words and vectors again behind the operations, going on after a stop."""

from __future__ import annotations

import logging
import threading

from commonplace.errors import CommonplaceError, Failed
from commonplace.service.meaning import Meaning
from commonplace.store.base import Store
from commonplace.store.embeddings import Rebuild

_log = logging.getLogger(__name__)

# Few enough that a write waits some hundredths of a second for them at most.
ROWS = 50
MODEL_S = 20.0
RETRY_S = 1.0
CLOSE_S = 5.0


class Rebuilding:
    """A thread for the words; the vectors are left to `Meaning`, which has one already."""

    def __init__(self, store: Store, meaning: Meaning) -> None:
        """Take the parts; nothing runs yet."""
        self._store = store
        self._meaning = meaning
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def resume(self) -> None:
        """Go on with what an earlier run of the server began; returns at once."""
        self._go()

    def begin(self) -> None:
        """Begin, or go on where it stopped."""
        self._store.rebuild(self._meaning.model(MODEL_S))
        self._meaning.again()
        self._go()

    def wait(self, wait_s: float) -> Rebuild:
        """Return how far it has come, as soon as all is done or the time is over."""
        thread = self._thread
        if thread is not None and thread.is_alive():
            thread.join(wait_s)
        else:
            self._meaning.idle(wait_s)
        return self._store.rebuild_state()

    def close(self) -> None:
        """Stop after the rows in hand."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join(CLOSE_S)

    def _go(self) -> None:
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._run, name="commonplace-rebuilding", daemon=True
                )
                self._thread.start()

    def _run(self) -> None:
        more = True
        while more and not self._closing.is_set():
            try:
                more = self._store.rebuild_words(ROWS)
            except Failed as error:
                _log.warning("reindex waits for the store: %s", error.message)
                self._closing.wait(RETRY_S)
            except CommonplaceError as error:
                _log.warning("reindex stopped: %s", error.message)
                return
