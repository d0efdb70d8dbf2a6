"""Models written by hand: quick, slow, hanging, broken; each the same text, the same vector."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence

import numpy as np

from commonplace.domain.vector import Matrix, check
from commonplace.errors import Unavailable


class FakeModel:
    """Vectors made from a text's hash; a closed `gate` holds calls up, `fail` fails so many."""

    def __init__(self, name: str = "fake", width: int = 8) -> None:
        self.name = name
        self.width = width
        self.sha256 = f"sha of {name}"
        self.gate = threading.Event()
        self.gate.set()
        self.fail = 0
        self.spoil: float | None = None
        self.calls = 0
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Matrix:
        del query
        self.calls += 1
        assert self.gate.wait(60), "nobody opened the gate"
        if self.fail > 0:
            self.fail -= 1
            raise Unavailable("the model is out of memory")
        self.texts += texts
        rows = np.zeros((len(texts), self.width), np.float32)
        for at, text in enumerate(texts):
            seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
            rows[at] = np.random.default_rng(seed).standard_normal(self.width)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        if self.spoil is not None:
            rows[:] = self.spoil
        return check(rows, self.width)
