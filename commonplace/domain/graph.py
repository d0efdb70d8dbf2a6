"""Walking the graph of memories: pure, over a function that gives the edges of some nodes.

A node is known by a key the caller chooses; a node is never walked twice, whatever circles there
are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Reason = Literal["unreachable", "depth-exceeded"]


@dataclass(frozen=True, slots=True)
class Edge:
    """A typed edge between two nodes; `origin` is authored or body."""

    source: str
    type: str
    target: str
    origin: str = "authored"


Step = Callable[[Sequence[str]], Iterable[Edge]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """What a walk found.

    Shapes: `depths` holds every node in the order met, root first; `edges` only run between these.
    `beyond` counts the nodes one step deeper; `cut` tells that the walk met its bound.
    """

    depths: dict[str, int]
    edges: tuple[Edge, ...]
    beyond: int
    cut: bool


@dataclass(frozen=True, slots=True)
class Trace:
    """A shortest path, in order; None and the reason where there is none."""

    edges: tuple[Edge, ...] | None
    reason: Reason | None = None


def walk(root: str, step: Step, depth: int, most: int) -> Web:
    """Return what lies within `depth` steps of a node, breadth first, at most `most` nodes."""
    depths = {root: 0}
    edges: dict[Edge, None] = {}
    beyond: set[str] = set()
    cut = False
    frontier = [root]
    for level in range(depth + 1):
        met: list[str] = []
        for edge in step(frontier):
            fresh = [end for end in (edge.source, edge.target) if end not in depths]
            if fresh and level == depth:
                beyond.update(fresh)
            elif fresh and len(depths) >= most:
                cut = True
            else:
                edges[edge] = None
                depths.update(dict.fromkeys(fresh, level + 1))
                met += fresh
        if not met:
            break
        frontier = met
    return Web(depths=depths, edges=tuple(edges), beyond=len(beyond), cut=cut)


def trace(start: str, goal: str, step: Step, depth: int, most: int) -> Trace:
    """Return a shortest path along the direction of the edges, or why there is none.

    `step` gives outgoing edges. Without a path within `depth` the walk goes on, so that the reason
    is true: `depth-exceeded` when a longer path exists, or when `most` nodes were not enough to
    tell.
    """
    came: dict[str, Edge | None] = {start: None}
    frontier = [start]
    level = 0
    while goal not in came and frontier and len(came) < most:
        level += 1
        met: list[str] = []
        for edge in step(frontier):
            if edge.target not in came:
                came[edge.target] = edge
                met.append(edge.target)
        frontier = met
    if goal not in came:
        return Trace(None, "depth-exceeded" if frontier else "unreachable")
    if level > depth:
        return Trace(None, "depth-exceeded")
    return Trace(_back(came, goal))


def _back(came: dict[str, Edge | None], goal: str) -> tuple[Edge, ...]:
    path: list[Edge] = []
    edge = came[goal]
    while edge is not None:
        path.append(edge)
        edge = came[edge.source]
    return tuple(reversed(path))
