"""The links as a graph: walks, paths, and what surrounds the memories a search found."""

# ruff: noqa: S608 - statements are put together from constants only; every value is bound

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from commonplace.domain import graph
from commonplace.domain.graph import Edge
from commonplace.store.base import Selection
from commonplace.store.connection import Database
from commonplace.store.edges import Hop, Node, Path, Roads, Walked
from commonplace.store.linking import standing_id
from commonplace.store.rows import fetch
from commonplace.store.selection import LIVE, NEWEST, NOT_EXPIRED, SUPERSEDED, where

# Source: chosen; the most one walk looks at, and so what bounds its time.
MOST_NODES = 20_000
MOST_EDGES = 100_000

_IDS = "SELECT value FROM json_each(:ids)"
_OF_TYPES = "(:link_types IS NULL OR e.type IN (SELECT value FROM json_each(:link_types)))"
# A target that is not there is a node of its own, known by its scope and name.
_TARGET = "coalesce(e.to_memory_id, '@' || e.to_scope || ' ' || e.to_name)"
OUT = f"""
SELECT e.from_memory_id, e.type, {_TARGET}, e.origin, e.to_scope, e.to_name FROM links AS e
WHERE e.from_memory_id IN ({_IDS}) AND {_OF_TYPES}
ORDER BY e.type, e.to_scope, e.to_name LIMIT {MOST_EDGES}
"""
INTO = f"""
SELECT e.from_memory_id, e.type, e.to_memory_id, e.origin, v.scope, v.name FROM links AS e
JOIN memory_versions AS v ON v.memory_id = e.from_memory_id AND {NEWEST}
WHERE e.to_memory_id IN ({_IDS}) AND {_OF_TYPES}
ORDER BY e.type, v.scope, v.name LIMIT {MOST_EDGES}
"""
NODES = f"""
SELECT v.memory_id, v.scope, v.name, v.type, v.description, {SUPERSEDED}, NOT {NOT_EXPIRED}
FROM memory_versions AS v WHERE v.superseded_by IS NULL AND v.memory_id IN ({_IDS})
"""
INBOUND = f"""
SELECT t.id, count(*) FROM memory_versions AS t
JOIN links AS e ON e.to_memory_id = t.memory_id AND e.origin = 'authored'
JOIN memory_versions AS v ON v.memory_id = e.from_memory_id AND {LIVE}
WHERE t.id IN ({_IDS}) GROUP BY t.id
"""
_HOPS_OUT = (
    "SELECT o.id, e.type, v.id FROM memory_versions AS o"
    " JOIN links AS e ON e.from_memory_id = o.memory_id"
    " JOIN memory_versions AS v ON v.memory_id = e.to_memory_id"
    f" WHERE o.id IN ({_IDS}) AND {_OF_TYPES} AND {{where}}"
    " ORDER BY o.id, e.type, e.to_scope, e.to_name LIMIT :limit"
)
_HOPS_IN = (
    "SELECT o.id, e.type, v.id FROM memory_versions AS o"
    " JOIN links AS e ON e.to_memory_id = o.memory_id"
    " JOIN memory_versions AS v ON v.memory_id = e.from_memory_id"
    f" WHERE o.id IN ({_IDS}) AND {_OF_TYPES} AND {{where}}"
    " ORDER BY o.id, e.type, v.scope, v.name LIMIT :limit"
)


def walk(db: Database, scope: str, name: str, roads: Roads, limit: int, now: str) -> Walked:
    """Return what lies around a memory; the first `limit` nodes are shown, the others counted.

    Raises: NotFound.
    """
    root = standing_id(db, scope, name)
    steps = _Steps(db, roads)
    web = graph.walk(root, steps, roads.depth, MOST_NODES)
    shown = dict(list(web.depths.items())[:limit])
    return Walked(
        nodes=_nodes(db, shown, steps.waiting, now),
        edges=tuple(edge for edge in web.edges if edge.source in shown and edge.target in shown),
        left_out=len(web.depths) - len(shown),
        beyond=web.beyond,
        cut=web.cut or steps.cut,
    )


def path(
    db: Database, start: tuple[str, str], goal: tuple[str, str], roads: Roads, now: str
) -> Path:
    """Return a shortest way from one memory to another along the links, or why there is none.

    Raises: NotFound.
    """
    ends = standing_id(db, *start), standing_id(db, *goal)
    steps = _Steps(db, roads)
    found = graph.trace(*ends, steps, roads.depth, MOST_NODES)
    if found.edges is None:
        cut = steps.cut and found.reason == "unreachable"
        return Path(nodes=(), edges=None, reason="depth-exceeded" if cut else found.reason)
    met = dict.fromkeys([ends[0], *(edge.target for edge in found.edges)], 0)
    return Path(nodes=_nodes(db, met, steps.waiting, now), edges=found.edges)


def inbound(db: Database, ids: Sequence[str], now: str) -> dict[str, int]:
    """Return how many authored links of live memories lead to each version's memory, if any."""
    return dict(fetch(db, INBOUND, {"ids": json.dumps(list(ids)), "now": now}))


def around(
    db: Database, ids: Sequence[str], roads: Roads, selection: Selection, limit: int
) -> tuple[Hop, ...]:
    """Return the selected memories one link away from these, each with whom it is next to."""
    condition, binds = where(db, selection)
    binds |= {"ids": json.dumps(list(ids)), "link_types": _types(roads), "limit": limit}
    rows: list[tuple[Any, ...]] = []
    if roads.direction != "in":
        rows += fetch(db, _HOPS_OUT.format(where=condition), binds)
    if roads.direction != "out":
        rows += fetch(db, _HOPS_IN.format(where=condition), binds)
    return tuple(dict.fromkeys(Hop(from_id, type_, id_) for from_id, type_, id_ in rows))


class _Steps:
    """The edges of some memories, read as a walk asks for them."""

    def __init__(self, db: Database, roads: Roads) -> None:
        self._db = db
        self._roads = roads
        self.waiting: dict[str, tuple[str, str]] = {}
        self.cut = False

    def __call__(self, frontier: Sequence[str]) -> list[Edge]:
        binds = {"ids": json.dumps(list(frontier)), "link_types": _types(self._roads)}
        rows: list[tuple[Any, ...]] = []
        if self._roads.direction != "in":
            rows += fetch(self._db, OUT, binds)
        if self._roads.direction != "out":
            rows += fetch(self._db, INTO, binds)
        self.cut = self.cut or len(rows) >= MOST_EDGES
        for _, _, target, _, scope, name in rows:
            if target.startswith("@"):
                self.waiting[target] = (scope, name)
        return [Edge(source, type_, target, origin) for source, type_, target, origin, *_ in rows]


def _types(roads: Roads) -> str | None:
    return None if roads.types is None else json.dumps(roads.types)


def _nodes(
    db: Database, depths: dict[str, int], waiting: dict[str, tuple[str, str]], now: str
) -> tuple[Node, ...]:
    binds = {"ids": json.dumps(list(depths)), "now": now}
    rows = {row[0]: row[1:] for row in fetch(db, NODES, binds)}
    nodes: list[Node] = []
    for key, depth in depths.items():
        if key in waiting:
            scope, name = waiting[key]
            nodes.append(Node(key=key, scope=scope, name=name, depth=depth, resolved=False))
            continue
        scope, name, type_, description, superseded, expired = rows[key]
        nodes.append(
            Node(
                key=key,
                scope=scope,
                name=name,
                depth=depth,
                type=type_,
                description=description,
                superseded=bool(superseded),
                expired=bool(expired),
            )
        )
    return tuple(nodes)
