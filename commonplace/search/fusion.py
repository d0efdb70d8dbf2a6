"""Fuse words and meaning: every candidate's score from its BM25 and its two cosines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from commonplace.search.query import Term

# Source: measured, docs/recall.md. The share of meaning where the model knows the script, and where
# it does not; the shares of the two vectors in one cosine.
ALPHA_LATIN, ALPHA_OTHER = 0.68, 0.15
DESCRIPTION_SHARE, BODY_SHARE = 0.25, 0.75
# A memory that has no vectors yet is taken to be as close as its words let expect, kindly.
# Source: measured; the mean cosine of those found by words is .1 to .2 and .6 of the coverage.
EXPECTED_AT_NONE, EXPECTED_SLOPE = 0.2, 0.7
_BM25_K1 = 1.2  # FTS5's own
_LEAST_IDF = 1e-6
_LAST_LATIN = "\u024f"


@dataclass(frozen=True, slots=True)
class Ranked:
    """One candidate's parts; cosines are None without vectors, `alpha` is the share of meaning."""

    id: str
    words: float
    coverage: float
    cosine_description: float | None
    cosine_body: float | None
    cosine: float | None
    alpha: float
    fused: float


def ideal(words: Sequence[Term], counts: Mapping[str, int], total: int) -> float:
    """Return the BM25 of a memory that is all about every word asked for, words nobody holds too.

    Against it, a memory's BM25 tells how much of the question its words explain: where a question
    says it in other words than every memory, none comes near, and meaning decides.
    """
    return (_BM25_K1 + 1) * math.fsum(idf(counts.get(word.phrase, 0), total) for word in words)


def idf(count: int, total: int) -> float:
    """Return how telling a word is that `count` of `total` memories hold, as FTS5 weighs it."""
    return max(math.log((total - count + 0.5) / (count + 0.5)), _LEAST_IDF) if total else 1.0


def share_of_meaning(words: Sequence[Term]) -> float:
    """Return alpha: how much the cosine counts for a question in these scripts, 0 to 1."""
    if not words:
        return ALPHA_LATIN
    other = sum(word.phrase[-1] > _LAST_LATIN for word in words) / len(words)
    return ALPHA_LATIN + (ALPHA_OTHER - ALPHA_LATIN) * other


def cosine(description: float, body: float) -> float:
    """Return the one cosine of a memory's two vectors."""
    return DESCRIPTION_SHARE * description + BODY_SHARE * body


def fuse(
    bm25: Mapping[str, float],
    cosines: Mapping[str, tuple[float, float]],
    best: float,
    alpha: float,
) -> list[Ranked]:
    """Return every candidate of either list, best first.

    `best` is the BM25 that counts as 1. With alpha 0 words alone rank.
    """
    ranked = [
        _ranked(id_, bm25.get(id_, 0.0), cosines.get(id_), best, alpha)
        for id_ in dict.fromkeys([*bm25, *cosines])
    ]
    return sorted(ranked, key=lambda each: -each.fused)


def _ranked(
    id_: str, words: float, pair: tuple[float, float] | None, best: float, alpha: float
) -> Ranked:
    coverage = min(words / best, 1.0) if best > 0 else 0.0
    one = None if pair is None else cosine(*pair)
    meant = EXPECTED_AT_NONE + EXPECTED_SLOPE * coverage if one is None else one
    return Ranked(
        id=id_,
        words=words,
        coverage=coverage,
        cosine_description=pair[0] if pair else None,
        cosine_body=pair[1] if pair else None,
        cosine=one,
        alpha=alpha,
        fused=alpha * meant + (1 - alpha) * coverage,
    )
