"""Search by meaning for the operations: on, loading, or off with a reason; never in the way."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

from commonplace.domain.vector import Matrix, Vector
from commonplace.embed.base import Embedder
from commonplace.errors import CommonplaceError, Failed
from commonplace.search.passage import passage
from commonplace.service.asking import Asker
from commonplace.store.base import Store
from commonplace.store.embeddings import Model, Unembedded, VectorRow

_log = logging.getLogger(__name__)

Load = Callable[[], Embedder]
BATCH = 32
TRIES = 4
RETRY_S = 0.5
STORE_RETRY_S = 1.0
CLOSE_S = 5.0
ASK_S = 1.0


class Meaning:
    """Holds the model, and embeds what the store has no vectors for in a thread of its own."""

    def __init__(self, store: Store, load: Load | None, *, off: str = "switched off") -> None:
        """Begin without a model; `start` loads it. `load` None means off for the reason given."""
        self._store = store
        self._load = load
        self._model: Model | None = None
        self._asker: Asker | None = None
        self._state = f"off: {off}" if load is None else "loading"
        self._tried = threading.Event()
        self._again = threading.Event()
        self._wake = threading.Event()
        self._idle = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="commonplace-meaning", daemon=True)

    def start(self) -> None:
        """Begin to load the model and to embed what waits; returns at once."""
        if self._load is not None:
            self._thread.start()

    def state(self) -> str:
        """Return `on`, `loading` or `off: <reason>`."""
        if self._state == "on" and self._asker is not None and self._asker.stuck():
            return "off: the model does not answer in time; words alone are searched"
        return self._state

    def on(self) -> bool:
        """Say whether questions get vectors now."""
        return self.state() == "on"

    def model(self, wait_s: float) -> Model | None:
        """Return the model that was loaded, waiting for that a while; None when there is none."""
        if self._load is not None:
            self._tried.wait(wait_s)
        return self._model

    def query(self, text: str) -> Vector | None:
        """Return the vector of a question, or None while meaning is off."""
        rows = self._ask([text], query=True)
        return None if rows is None else rows[0]

    def passages(self, texts: Sequence[str]) -> Matrix | None:
        """Return the vectors of texts as they are stored, or None while meaning is off."""
        return self._ask(texts, query=False)

    def wake(self) -> None:
        """Tell that something was written."""
        self._idle.clear()
        self._wake.set()

    def again(self) -> None:
        """Tell that what kept it off may be mended, or that there are vectors to make again."""
        self._again.set()
        self.wake()

    def idle(self, wait_s: float) -> bool:
        """Wait until nothing is left to embed; say whether it came to that."""
        return self._idle.wait(wait_s)

    def close(self) -> None:
        """Finish the batch in hand and stop; what is left is embedded at the next start."""
        self._closing.set()
        self.again()
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)
        if self._asker is not None:
            self._asker.close()

    def _ask(self, texts: Sequence[str], *, query: bool) -> Matrix | None:
        asker = self._asker
        if asker is None or self._state != "on":
            return None
        try:
            return asker.ask(texts, query=query, timeout_s=ASK_S)
        except CommonplaceError as error:
            _log.warning("a question was searched by words alone: %s", error.message)
            return None

    def _run(self) -> None:
        while not self._closing.is_set():
            self._again.clear()
            try:
                self._serve()
            except CommonplaceError as error:
                self._turn_off(error.message)
            except Exception as error:  # noqa: BLE001 - a model may fail in any way; nothing else may
                _log.exception("search by meaning stopped")
                self._turn_off(f"a fault of ours ({type(error).__name__}); the log holds it")
            self._tried.set()
            if not self._closing.is_set():
                self._again.wait()

    def _serve(self) -> None:
        """Load the model, then embed whatever comes, until the end or a failure."""
        assert self._load is not None
        embedder = self._load()
        self._model = Model(embedder.name, embedder.width, embedder.sha256)
        held = self._store.adopt_model(self._model)
        if held != self._model:
            self._turn_off(
                f"the vectors here come from the model {held.name}, this server runs"
                f" {embedder.name}; run commonplace reindex"
            )
            return
        self._asker = Asker(embedder)
        self._state = "on"
        self._tried.set()
        while not self._closing.is_set() and self._store.warm():
            pass
        while not self._closing.is_set():
            self._wake.clear()
            if not self._work(embedder):
                self._idle.set()
                self._wake.wait()

    def _work(self, embedder: Embedder) -> bool:
        """Embed one batch; say whether there may be more."""
        try:
            batch = self._store.pending_vectors(BATCH)
            stale = () if batch else self._store.stale_vectors(BATCH)
        except Failed as error:
            return self._later(error)
        if self._closing.is_set():
            return False
        rows = self._embedded(embedder, batch or stale)
        try:
            self._store.put_vectors(rows)
            if not batch:
                self._store.vectors_remade([row.id for row in rows])
        except Failed as error:
            return self._later(error)
        return bool(rows)

    def _later(self, error: CommonplaceError) -> bool:
        """Give a store that is busy or cannot write some time."""
        _log.warning("vectors wait for the store: %s", error.message)
        self._closing.wait(STORE_RETRY_S)
        return True

    def _embedded(self, embedder: Embedder, batch: Sequence[Unembedded]) -> list[VectorRow]:
        pairs = [passage(item.name, item.description, item.body) for item in batch]
        texts = [text for pair in pairs for text in (pair.description, pair.whole) if text]
        rows = iter(self._patiently(embedder, texts) if texts else ())
        return [
            VectorRow(item.id, next(rows), next(rows) if pair.whole else None)
            for item, pair in zip(batch, pairs, strict=True)
        ]

    def _patiently(self, embedder: Embedder, texts: Sequence[str]) -> Matrix:
        """Embed, trying a few times: memory may have been short for a moment."""
        for attempt in range(1, TRIES):
            try:
                return embedder.embed(texts)
            except CommonplaceError as error:
                _log.warning("embedding failed, trying again: %s", error.message)
            if self._closing.wait(RETRY_S * attempt):
                break
        return embedder.embed(texts)

    def _turn_off(self, reason: str) -> None:
        self._state = f"off: {reason}"
        self._idle.set()
        asker, self._asker = self._asker, None
        if asker is not None:
            asker.close()
        _log.warning("search by meaning is off: %s", reason)
