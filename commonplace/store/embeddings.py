"""The part of the storage seam that is derived: vectors, and making them and the words again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from commonplace.domain.vector import Vector
from commonplace.store.edges import Selection


@dataclass(frozen=True, slots=True)
class Model:
    """Which model vectors come from; vectors of two models are never compared."""

    name: str
    width: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A version that has no vectors yet, and the texts they are made of."""

    id: str
    name: str
    description: str
    body: str


@dataclass(frozen=True, slots=True)
class VectorRow:
    """The vectors of one version; `body` None where the body adds nothing to the description."""

    id: str
    description: Vector
    body: Vector | None = None


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A memory and how close each of its two vectors is: cosines, -1 to 1, higher is closer."""

    id: str
    description: float
    body: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorsState:
    """Whose vectors the store holds, and how many newest versions have and lack them."""

    model: Model | None
    held: int
    pending: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuild:
    """How many of `total` memories have words and vectors made again; all, if not running."""

    running: bool
    total: int
    words: int
    vectors: int


class Embeddings(Protocol):
    """Vectors by which memories are found, and how far they have come."""

    def adopt_model(self, model: Model) -> Model:
        """Return the model the store's vectors come from: the one given, if there is none yet."""
        ...

    def pending_vectors(self, limit: int) -> tuple[Unembedded, ...]:
        """Return newest versions, not forgotten, that have no vectors; newest first."""
        ...

    def put_vectors(self, rows: Sequence[VectorRow]) -> int:
        """Keep the vectors of versions that are still the newest; return how many were kept.

        Raises: Invalid, for the whole call, when one is of another width than the model's, NaN,
        zero or not of unit length; Unavailable when no model was adopted.
        """
        ...

    def warm(self) -> bool:
        """Read more of the stored vectors into memory; return False when all are there.

        Searches are right before, and slower.
        """
        ...

    def neighbours(self, query: Vector, selection: Selection, limit: int) -> tuple[VectorHit, ...]:
        """Return the live memories closest in meaning: a quarter description, three quarters body.

        Shapes: best first, ids unique. The filter applies before the ranking limit.
        Raises: Invalid for a query vector of another width, NaN, zero or not of unit length.
        """
        ...

    def cosines(self, query: Vector, ids: Sequence[str]) -> dict[str, tuple[float, float]]:
        """Return the cosines (description, body) of these versions; without vectors, left out."""
        ...

    def vectors_state(self) -> VectorsState:
        """Return whose vectors are held, and how many versions have and lack them."""
        ...

    def rebuild(self, model: Model | None) -> None:
        """Begin to make words and vectors again from the base rows, or go on where it stopped.

        With another model than the store's, its vectors are thrown away and all wait for new ones;
        with None the vectors stay as they are.
        """
        ...

    def rebuild_words(self, limit: int) -> bool:
        """Make the words of the next rows again; say whether there are more."""
        ...

    def stale_vectors(self, limit: int) -> tuple[Unembedded, ...]:
        """Return the next versions whose vectors are to be made again, newest first."""
        ...

    def vectors_remade(self, ids: Sequence[str]) -> None:
        """Note that the vectors of these were made again; none means that there are no more."""
        ...

    def rebuild_state(self) -> Rebuild:
        """Return how far making words and vectors again has come."""
        ...
