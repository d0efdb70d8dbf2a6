"""What turns texts into vectors, as seen from outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from commonplace.domain.vector import Matrix


class Embedder(Protocol):
    """A sentence model: the same text gives the same vector, whatever batch it is in."""

    @property
    def name(self) -> str:
        """What the model is called."""
        ...

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        ...

    @property
    def sha256(self) -> str:
        """Hex digest over everything that decides what the vectors are."""
        ...

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Matrix:
        """Return one vector a text, in their order; `query` marks questions (some models differ).

        Shapes: (n, d) float32, rows of unit length. Safe from any thread.
        Raises: Invalid when the model gives what is no vector; Unavailable when it cannot run.
        """
        ...
