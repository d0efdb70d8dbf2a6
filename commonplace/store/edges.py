"""The part of the storage seam about edges: links one by one, the graph they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from commonplace.domain.graph import Edge
from commonplace.domain.memory import Link

Direction = Literal["out", "in", "both"]


@dataclass(frozen=True, slots=True)
class Selection:
    """Which memories a search may see; None means all. `now` decides what has expired."""

    now: str
    scopes: tuple[str, ...] | None = None
    types: tuple[str, ...] | None = None
    superseded: bool = False
    expired: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """What a link or unlink did; `resolved` is False while the target is not there."""

    scope: str
    name: str
    memory_id: str
    type: str
    to_scope: str
    to_name: str
    resolved: bool
    changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkChange:
    """An authored link made or taken away; `done` is linked or unlinked."""

    at: str
    author: str
    done: str
    type: str
    scope: str
    name: str


@dataclass(frozen=True, slots=True)
class Roads:
    """Which links a walk takes, which way, and how far; `types` None means all."""

    depth: int = 1
    types: tuple[str, ...] | None = None
    direction: Direction = "both"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A memory met on a walk; one that is not there yet has a scope and a name only."""

    key: str
    scope: str
    name: str
    depth: int
    type: str = ""
    description: str = ""
    resolved: bool = True
    superseded: bool = False
    expired: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """What lies around a memory, nearest first.

    `left_out` counts nodes met and not shown, `beyond` those one step deeper; `cut` tells that even
    the walk was bounded, so that both are lower bounds.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    left_out: int
    beyond: int
    cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """A way between two memories, in order; `edges` None and the reason where there is none."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...] | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Hop:
    """One link between two versions' memories, the one asked about first."""

    from_id: str
    type: str
    id: str


class Edges(Protocol):
    """Links and the graph over them."""

    def link(self, scope: str, name: str, edge: Link, *, author: str) -> Linked:
        """Make one authored link, durable when this returns; makes no version, touches no text.

        A link that is there already changes nothing. A target without a scope is looked for in the
        memory's own scope, then in global; one that is not there is waited for in its own scope.
        Raises: NotFound, SelfLink, Cycle, Busy, Unavailable.
        """
        ...

    def unlink(self, scope: str, name: str, edge: Link, *, author: str) -> Linked:
        """Take one authored link away; one that is not there changes nothing.

        Raises: NotFound, Busy, Unavailable.
        """
        ...

    def link_changes(self, scope: str, name: str) -> tuple[LinkChange, ...]:
        """Return every authored link made or taken away by what bore this name, oldest first."""
        ...

    def walk(self, scope: str, name: str, roads: Roads, limit: int) -> Walked:
        """Return what lies around a memory, breadth first, forgotten memories left out.

        Raises: NotFound.
        """
        ...

    def path(self, start: tuple[str, str], goal: tuple[str, str], roads: Roads) -> Path:
        """Return a shortest way along the links' direction between two `(scope, name)`.

        Raises: NotFound.
        """
        ...

    def inbound(self, ids: Sequence[str], now: str) -> Mapping[str, int]:
        """Return how many authored links of live memories lead to these versions' memories.

        Shapes: version id to count; those with none are left out.
        """
        ...

    def around(
        self, ids: Sequence[str], roads: Roads, selection: Selection, limit: int
    ) -> tuple[Hop, ...]:
        """Return the selected memories one link away from these versions', at most `limit` a way.

        `roads.depth` has no meaning here. A memory may be next to several.
        """
        ...
