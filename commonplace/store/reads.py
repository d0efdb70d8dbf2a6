"""Counting reads without ever holding one up: kept in memory, written along with other work."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence

from commonplace.store.base import Clock
from commonplace.store.connection import Database

LIMIT = 10_000

_COUNT = """
INSERT INTO reads (memory_id, count, last_read_at)
SELECT v.memory_id, json_extract(noted.value, '$[1]'), json_extract(noted.value, '$[2]')
FROM json_each(?) AS noted
JOIN memory_versions AS v ON v.id = json_extract(noted.value, '$[0]')
WHERE true
ON CONFLICT (memory_id) DO UPDATE SET
    count = count + excluded.count,
    last_read_at = max(last_read_at, excluded.last_read_at)
"""


class Reads:
    """Reads noted and not yet written; beyond `LIMIT` different versions they go uncounted."""

    def __init__(self, clock: Clock) -> None:
        """Begin with none."""
        self._clock = clock
        self._lock = threading.Lock()
        self._noted: dict[str, tuple[int, str]] = {}

    def note(self, ids: Sequence[str]) -> None:
        """Remember that these versions were read now."""
        now = self._clock()
        with self._lock:
            for id_ in ids:
                count, _ = self._noted.get(id_, (0, now))
                if count or len(self._noted) < LIMIT:
                    self._noted[id_] = (count + 1, now)

    def waiting(self) -> bool:
        """Say whether any are unwritten."""
        return bool(self._noted)

    def settle(self, db: Database) -> None:
        """Write them inside the open transaction; if that fails they are lost, and may be."""
        with self._lock:
            noted, self._noted = self._noted, {}
        rows = [(id_, count, at) for id_, (count, at) in noted.items()]
        db.execute(_COUNT, (json.dumps(rows),))
