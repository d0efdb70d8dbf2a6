"""The SQLite store's calls about what is derived: vectors, and making them and the words again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TypeVar

from commonplace.domain.vector import Vector
from commonplace.store import read, rebuild, vectors, words
from commonplace.store.connection import Database
from commonplace.store.edges import Selection
from commonplace.store.embeddings import (
    Model,
    Rebuild,
    Unembedded,
    VectorHit,
    VectorRow,
    VectorsState,
)
from commonplace.store.nearby import Nearby

T = TypeVar("T")


class SqliteEmbeddings(ABC):
    """What `SqliteStore` adds to its connections and its writer to be searched by meaning."""

    _near: Nearby
    _prepare: words.Prepare
    # Every version written up to this stamp has its vectors, or needs none.
    _embedded_up_to = ""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Database]:
        """Lend a connection for one snapshot."""

    @abstractmethod
    def _writing(self, job: Callable[[Database], T]) -> T:
        """Run a job on the writer and wait for its commit."""

    def adopt_model(self, model: Model) -> Model:
        """Return the model the store's vectors come from: the one given, where there is none."""
        return self._writing(lambda db: vectors.adopt(db, model))

    def pending_vectors(self, limit: int) -> tuple[Unembedded, ...]:
        """Return newest versions, not forgotten, that have no vectors; newest first."""
        with self._reading() as db:
            found = vectors.pending(db, self._embedded_up_to, limit)
            if not found and limit > 0:
                # Nothing before this is without vectors: the next look need not go there again.
                self._embedded_up_to = read.last_stamp(db)
            return found

    def put_vectors(self, rows: Sequence[VectorRow]) -> int:
        """Keep the vectors of versions that are still the newest; return how many were kept."""
        kept = self._writing(lambda db: vectors.put(db, rows))
        with self._reading() as db:  # not left to the next question
            self._near.sync(db)
        return kept

    def warm(self) -> bool:
        """Read more of the stored vectors into memory; return False when all are there."""
        self._near.begin()
        with self._reading() as db:
            return vectors.warm(db, self._near)

    def neighbours(self, query: Vector, selection: Selection, limit: int) -> tuple[VectorHit, ...]:
        """Return the live memories closest in meaning, best first."""
        with self._reading() as db:
            return vectors.neighbours(db, self._near, query, selection, limit)

    def cosines(self, query: Vector, ids: Sequence[str]) -> dict[str, tuple[float, float]]:
        """Return the cosines (description, body) of these versions; without vectors, left out."""
        with self._reading() as db:
            return vectors.cosines(db, query, ids)

    def vectors_state(self) -> VectorsState:
        """Return whose vectors are held, and how many versions have and lack them."""
        with self._reading() as db:
            return vectors.state(db)

    def rebuild(self, model: Model | None) -> None:
        """Begin to make words and vectors again, or go on with it."""
        if self._writing(lambda db: rebuild.begin(db, model)):
            self._embedded_up_to = ""
            self._near.reset()

    def rebuild_words(self, limit: int) -> bool:
        """Make the words of the next rows again; say whether there are more."""
        return self._writing(lambda db: rebuild.some_words(db, self._prepare, limit))

    def stale_vectors(self, limit: int) -> tuple[Unembedded, ...]:
        """Return the next versions whose vectors are to be made again, newest first."""
        with self._reading() as db:
            return rebuild.stale(db, limit)

    def vectors_remade(self, ids: Sequence[str]) -> None:
        """Note that the vectors of these were made again; none means that there are no more."""
        self._writing(lambda db: rebuild.remade(db, list(ids)))

    def rebuild_state(self) -> Rebuild:
        """Return how far it has come."""
        with self._reading() as db:
            return rebuild.state(db)
