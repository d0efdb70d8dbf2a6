"""The vectors kept in memory as well, so that the closest are found without reading the file.

Only a first look is taken here: who is returned, and with which cosines, the file decides. What a
commit touched is read again before the next search, so that no change can leave this wrong.
"""

# ruff: noqa: S608 - statements are put together from constants only; every value is bound

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from commonplace.domain.vector import Matrix, Vector
from commonplace.store.connection import Database
from commonplace.store.rows import fetch

BLOCK = 4096
CHUNK = 512
# Where fewer rows than this part of a block are asked about, gathering them beats a pass over all.
SPARSE = 0.25

_COLUMNS = (
    "SELECT m.seq, v.scope, v.type, m.description, coalesce(m.body, m.description)"
    " FROM memory_vectors AS m JOIN memory_versions AS v ON v.seq = m.seq"
)
TOUCHED = f"{_COLUMNS} WHERE m.seq IN (SELECT value FROM json_each(?))"
NEXT = f"{_COLUMNS} WHERE m.seq > ? ORDER BY m.seq LIMIT ?"


class _Block:
    """A fixed number of rows; `seqs` is 0 where a row is free."""

    def __init__(self, width: int) -> None:
        self.vectors: Matrix = np.zeros((BLOCK, width), np.float32)
        self.seqs = np.zeros(BLOCK, np.int64)
        self.scopes = np.zeros(BLOCK, np.int32)
        self.types = np.zeros(BLOCK, np.int32)


class Nearby:
    """One vector a version: both of its vectors, each by its weight, added up."""

    def __init__(self, weights: tuple[float, float]) -> None:
        """Begin empty and not loaded."""
        self._weights = weights
        self._lock = threading.Lock()
        self._staged: list[int] = []
        self._touched: set[int] = set()
        self._forget_all()

    def note(self, _kind: int, _db: str, table: str, row: int) -> None:
        """Take note of a changed row; SQLite's update hook, called on the writer's thread."""
        if table == "memory_vectors":
            self._staged.append(row)

    def publish(self) -> None:
        """Let the next search read again what was changed; called after a commit."""
        if self._staged:
            with self._lock:
                if self._loading:
                    self._touched.update(self._staged)
            self._staged.clear()

    def reset(self) -> None:
        """Forget everything: the vectors are another model's from now on."""
        with self._lock:
            self._forget_all()

    @property
    def loaded(self) -> bool:
        """Say whether every stored vector is here."""
        return self._loaded

    def begin(self) -> None:
        """Note from now on what commits touch; comes before the snapshots that are loaded from."""
        with self._lock:
            self._loading = True

    def load(self, db: Database, width: int) -> bool:
        """Read the next rows; return False when all are here."""
        with self._lock:
            self.width = width
            rows = fetch(db, NEXT, (self._last, CHUNK))
            self._put(rows)
            self._last = max((row[0] for row in rows), default=self._last)
            self._loaded = len(rows) < CHUNK
            return not self._loaded

    def sync(self, db: Database) -> None:
        """Read again what commits touched; nothing may have been read in this snapshot before."""
        while self._touched and self._loaded:
            with self._lock:
                some = [self._touched.pop() for _ in range(min(CHUNK, len(self._touched)))]
                rows = fetch(db, TOUCHED, (json.dumps(some),))
                self._drop(set(some).difference(row[0] for row in rows))
                self._put(rows)

    def closest(
        self,
        query: Vector,
        scopes: Sequence[str] | None,
        types: Sequence[str] | None,
        limit: int,
    ) -> tuple[list[int], bool]:
        """Return the sequence numbers of the closest rows, and whether there are no others."""
        scores: list[npt.NDArray[np.float32]] = []
        seqs: list[npt.NDArray[np.int64]] = []
        codes = _codes(self._scope_codes, scopes), _codes(self._type_codes, types)
        for block in list(self._blocks):
            rows = _chosen(block, *codes)
            # vecdot, not @: a matrix product wakes a thread a core, which costs more than it saves.
            if len(rows) > BLOCK * SPARSE:
                scores.append(np.vecdot(block.vectors, query)[rows])
            else:
                scores.append(np.vecdot(block.vectors[rows], query))
            seqs.append(block.seqs[rows])
        if not seqs:
            return [], True
        found, closeness = np.concatenate(seqs), np.concatenate(scores)
        if len(found) > limit:
            best = np.argpartition(closeness, -limit)[-limit:]
            return found[best].tolist(), False
        return found.tolist(), True

    def _forget_all(self) -> None:
        self.width = 0
        self._loading = self._loaded = False
        self._last = 0
        self._blocks: list[_Block] = []
        self._at: dict[int, tuple[int, int]] = {}
        self._free: list[tuple[int, int]] = []
        self._scope_codes: dict[str, int] = {}
        self._type_codes: dict[str, int] = {}
        self._touched.clear()

    def _put(self, rows: Iterable[tuple[Any, ...]]) -> None:
        first, second = self._weights
        for seq, scope, type_, description, body in rows:
            block, row = self._place(seq)
            block.vectors[row] = first * _read(description) + second * _read(body)
            block.scopes[row] = self._scope_codes.setdefault(scope, len(self._scope_codes))
            block.types[row] = self._type_codes.setdefault(type_, len(self._type_codes))
            block.seqs[row] = seq

    def _place(self, seq: int) -> tuple[_Block, int]:
        if seq not in self._at:
            if not self._free:
                number = len(self._blocks)
                self._free = [(number, row) for row in reversed(range(BLOCK))]
                self._blocks.append(_Block(self.width))
            self._at[seq] = self._free.pop()
        number, row = self._at[seq]
        return self._blocks[number], row

    def _drop(self, seqs: Iterable[int]) -> None:
        for seq in seqs:
            place = self._at.pop(seq, None)
            if place is not None:
                number, row = place
                self._blocks[number].seqs[row] = 0
                self._free.append(place)


def _codes(known: dict[str, int], wanted: Sequence[str] | None) -> list[int] | None:
    return None if wanted is None else [known[one] for one in wanted if one in known]


def _chosen(
    block: _Block, scopes: list[int] | None, types: list[int] | None
) -> npt.NDArray[np.intp]:
    chosen = block.seqs > 0
    if scopes is not None:
        chosen &= np.isin(block.scopes, scopes)
    if types is not None:
        chosen &= np.isin(block.types, types)
    return np.flatnonzero(chosen)


def _read(blob: bytes) -> Vector:
    return np.frombuffer(blob, "<f4")
