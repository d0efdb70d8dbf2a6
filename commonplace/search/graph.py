"""What links add to a ranking: a boost for the well connected, and neighbours of what was found."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# Source: the first seed's ranking; a neighbour counts for less than what led to it.
DECAY = 0.7


@dataclass(frozen=True, slots=True)
class Reached:
    """The score something ends with; `via` is the id whose neighbour it is, if that is why."""

    id: str
    score: float
    via: str | None = None


def boost(inbound: int, alpha: float) -> float:
    """Return what a memory gains by the authored links that lead to it.

    Units: score; 0 without links or with alpha 0. Source: the first seed, `alpha · ln(1 + n)`.
    """
    return alpha * math.log1p(inbound)


def spread(
    scores: Mapping[str, float], hops: Iterable[tuple[str, str]], decay: float = DECAY
) -> list[Reached]:
    """Return everything scored and every neighbour, best first, ties in the order given.

    A neighbour has the better of its own score and its neighbour's, decayed. Only what was scored
    spreads, and only once: a neighbour's gain goes no further.
    Shapes: hops are (id that was scored, id of its neighbour); others are left out.
    """
    best = {id_: Reached(id_, score) for id_, score in scores.items()}
    for from_id, id_ in hops:
        if from_id not in scores or from_id == id_:
            continue
        reached = Reached(id_, scores[from_id] * decay, from_id)
        held = best.get(id_)
        if held is None or reached.score > held.score:
            best[id_] = reached
    return sorted(best.values(), key=lambda reached: -reached.score)
