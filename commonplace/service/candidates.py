"""Which memories a question may mean: by words and by meaning, each with its score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.protocol.replies import Score
from commonplace.search import fusion
from commonplace.search.query import Term, expression, terms
from commonplace.service.context import Context
from commonplace.store.base import Selection

# Source: chosen; well above any limit, so that boost and links can lift what was left low.
CANDIDATES = 200
# A sentence model reads some 250 words; the rest of a longer question costs time alone.
ASKED_MAX = 4_000


@dataclass(frozen=True, slots=True)
class Candidates:
    """What was found by version id, the words looked for, and whether meaning took part.

    `newest` says that the question held nothing to look for.
    """

    scores: dict[str, Score]
    words: tuple[Term, ...]
    meaning: bool
    newest: bool = False


def candidates(
    context: Context, query: str, selection: Selection, limit: int, threshold: float | None
) -> Candidates:
    """Return what a question may mean; one without any word gives the newest memories."""
    words = terms(query)
    if not words:
        newest = context.store.recent(selection, limit)
        return Candidates(
            {id_: Score(total=0.0) for id_ in newest}, words, meaning=False, newest=True
        )
    return found(context, query, words, selection, threshold)


def found(
    context: Context,
    query: str,
    words: tuple[Term, ...],
    selection: Selection,
    threshold: float | None = None,
) -> Candidates:
    """Return the union of both candidate lists, every one with all its parts."""
    store = context.store
    hits = store.words(expression(words), selection, CANDIDATES)
    bm25 = {hit.id: hit.bm25 for hit in hits}
    vector = context.meaning.query(query[:ASKED_MAX]) if _says_something(words) else None
    if vector is None:
        best = max(bm25.values(), default=0.0)
        return Candidates(_scores(fusion.fuse(bm25, {}, best, 0.0), None), words, meaning=False)
    near = store.neighbours(vector, selection, CANDIDATES)
    cosines = {hit.id: (hit.description, hit.body) for hit in near}
    cosines.update(store.cosines(vector, [id_ for id_ in bm25 if id_ not in cosines]))
    told = store.frequencies([word.phrase for word in words])
    best = fusion.ideal(words, told.counts, told.total)
    ranked = fusion.fuse(bm25, cosines, best, fusion.share_of_meaning(words))
    return Candidates(_scores(ranked, threshold), words, meaning=True)


def _says_something(words: Sequence[Term]) -> bool:
    """Tell whether a sentence model can make anything of the words: signs alone say nothing."""
    return any(any(map(str.isalnum, word.surface)) for word in words)


def _scores(ranked: Sequence[fusion.Ranked], threshold: float | None) -> dict[str, Score]:
    return {
        each.id: Score(
            total=each.fused,
            words=each.words,
            coverage=each.coverage,
            cosine_description=each.cosine_description,
            cosine_body=each.cosine_body,
            cosine=each.cosine,
            alpha=each.alpha,
            fused=each.fused,
        )
        for each in ranked
        if threshold is None or (each.cosine is not None and each.cosine >= threshold)
    }
