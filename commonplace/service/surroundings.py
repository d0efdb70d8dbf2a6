"""What links do for recall: the connectedness boost, and the neighbours of what was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from commonplace.domain.memory import LINK_TYPES
from commonplace.protocol.replies import Score
from commonplace.search.graph import boost, spread
from commonplace.store.base import Selection, Store
from commonplace.store.edges import Roads

EXPANSIONS = ("none", "one-hop", "parents")
PARENT = "child-of"
# Source: chosen; the most neighbours one question looks at each way.
MOST_NEIGHBOURS = 500


@dataclass(frozen=True, slots=True)
class Found:
    """A version found, and why it stands where it stands; `via` is the id it is a neighbour of."""

    id: str
    score: Score
    via: str | None = None


def boosted(store: Store, scores: Mapping[str, Score], alpha: float, now: str) -> dict[str, Score]:
    """Return every candidate with its boost in the total; alpha 0 asks the store nothing."""
    if not alpha or not scores:
        return dict(scores)
    inbound = store.inbound(tuple(scores), now)
    gains = {id_: boost(inbound.get(id_, 0), alpha) for id_ in scores}
    return {
        id_: replace(score, total=score.total + gains[id_], boost=gains[id_])
        for id_, score in scores.items()
    }


def surroundings(
    store: Store, scores: Mapping[str, Score], roads: Roads | None, selection: Selection, limit: int
) -> list[Found]:
    """Return the best `limit` of the candidates and, where roads are given, their neighbours."""
    totals = {id_: score.total for id_, score in scores.items()}
    first = [reached.id for reached in spread(totals, ())][:limit]
    hops = store.around(first, roads, selection, MOST_NEIGHBOURS) if roads and first else ()
    found = spread(totals, ((hop.from_id, hop.id) for hop in hops))
    return [
        Found(
            reached.id,
            replace(scores.get(reached.id, Score(total=0.0)), total=reached.score),
            reached.via,
        )
        for reached in found[:limit]
    ]


def roads(expand: str, types: tuple[str, ...] | None) -> Roads | None:
    """Return the links an expansion follows: all, or those to parents, or the types given."""
    if expand == "none":
        return None
    if expand == "parents":
        return Roads(1, types or (PARENT,), "out")
    return Roads(1, types or LINK_TYPES, "both")
