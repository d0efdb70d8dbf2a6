"""The SQLite store's calls about edges: links one by one, the graph they make."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager

from commonplace.domain.memory import Link
from commonplace.store import graph, linking, links
from commonplace.store.connection import Database
from commonplace.store.edges import Hop, LinkChange, Linked, Path, Roads, Selection, Walked

_Linking = Callable[[Database, str, str, Link, links.Signed], Linked]


class SqliteEdges(ABC):
    """What `SqliteStore` adds to its connections and its writer to be a graph."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Database]:
        """Lend a connection for one snapshot."""

    @abstractmethod
    def _now(self) -> str:
        """Return the clock's time."""

    @abstractmethod
    def _linked(self, do: Callable[[Database, str], Linked]) -> Linked:
        """Run a job on the writer, with the time of its write."""

    def link(self, scope: str, name: str, edge: Link, *, author: str) -> Linked:
        """Make one authored link, durable when this returns."""
        return self._linking(linking.link, (scope, name), edge, author)

    def unlink(self, scope: str, name: str, edge: Link, *, author: str) -> Linked:
        """Take one authored link away."""
        return self._linking(linking.unlink, (scope, name), edge, author)

    def link_changes(self, scope: str, name: str) -> tuple[LinkChange, ...]:
        """Return every authored link made or taken away by what bore this name, oldest first."""
        with self._reading() as db:
            return linking.changes(db, scope, name)

    def walk(self, scope: str, name: str, roads: Roads, limit: int) -> Walked:
        """Return what lies around a memory, breadth first."""
        with self._reading() as db:
            return graph.walk(db, scope, name, roads, limit, self._now())

    def path(self, start: tuple[str, str], goal: tuple[str, str], roads: Roads) -> Path:
        """Return a shortest way along the links' direction."""
        with self._reading() as db:
            return graph.path(db, start, goal, roads, self._now())

    def inbound(self, ids: Sequence[str], now: str) -> Mapping[str, int]:
        """Return how many authored links of live memories lead to these versions' memories."""
        with self._reading() as db:
            return graph.inbound(db, ids, now)

    def around(
        self, ids: Sequence[str], roads: Roads, selection: Selection, limit: int
    ) -> tuple[Hop, ...]:
        """Return the selected memories one link away from these versions'."""
        with self._reading() as db:
            return graph.around(db, ids, roads, selection, limit)

    def _linking(self, do: _Linking, place: tuple[str, str], edge: Link, author: str) -> Linked:
        return self._linked(lambda db, at: do(db, *place, edge, links.Signed(author=author, at=at)))
