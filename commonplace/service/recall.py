"""Find memories: candidates, what each match shows, and how much text an answer may hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from commonplace.domain.text import one_line
from commonplace.errors import Invalid
from commonplace.protocol.replies import Match, RecallReply, Score
from commonplace.protocol.requests import RecallRequest
from commonplace.search.snippet import snippet
from commonplace.service.candidates import Candidates, candidates
from commonplace.service.context import Caller, Context
from commonplace.service.naming import in_range, read_link_types, read_scopes, read_types
from commonplace.service.surroundings import EXPANSIONS, Found, boosted, roads, surroundings
from commonplace.service.views import expired, superseders
from commonplace.store.base import Memory, Selection, Store

TEXT_BUDGET = 20_000
SNIPPET_WIDTH = 240


def recall(context: Context, caller: Caller, request: RecallRequest) -> RecallReply:
    """Search all memories; best first.

    Use it before you guess how this user, project or machine does things, and before you remember.
    Not when you know the name: get. Ask with the telling words. Example: query "postgres port for
    tests".
    """
    del caller
    limit = in_range("limit", request.limit, 1, 50)
    _check(request)
    selection = Selection(
        now=context.now(),
        scopes=read_scopes(request.scopes),
        types=read_types(request.types),
        superseded=request.include_superseded,
        expired=request.include_expired,
    )
    sought = candidates(context, request.query, selection, limit, request.threshold)
    found = _ranked(context, request, sought, selection, limit)
    memories = context.store.load(list(found))
    context.store.note_reads([memory.version.id for memory in memories])
    via = _names(context.store, found.values())
    shown = [word.surface for word in sought.words]
    room = TEXT_BUDGET // max(len(memories), 1)
    matches = [
        replace(
            _match(memory, found[memory.version.id].score, shown, room, selection.now),
            via=via.get(found[memory.version.id].via or ""),
        )
        for memory in memories
    ]
    return RecallReply(
        matches=_with_bodies(matches, memories),
        meaning=sought.meaning,
        notes=_notes(context, request, sought),
    )


def _ranked(
    context: Context,
    request: RecallRequest,
    sought: Candidates,
    selection: Selection,
    limit: int,
) -> dict[str, Found]:
    """Return what is to be shown, best first, by version id."""
    ways = roads(request.expand, read_link_types(request.expand_types))
    alpha = 0.0 if sought.newest else context.settings.link_boost  # the newest in order of time
    scores = boosted(context.store, sought.scores, alpha, selection.now)
    found = surroundings(context.store, scores, ways, selection, limit)
    return {item.id: item for item in found}


def _names(store: Store, found: Iterable[Found]) -> dict[str, str]:
    """Return scope and name of the memories others were found through."""
    ids = list(dict.fromkeys(item.via for item in found if item.via is not None))
    return {
        memory.version.id: f"{memory.version.scope} {memory.version.name}"
        for memory in store.load(ids)
    }


def _check(request: RecallRequest) -> None:
    if request.threshold is not None and not -1 <= request.threshold <= 1:
        raise Invalid(
            f"threshold must be -1 to 1, not {request.threshold}; it is a cosine",
            field="threshold",
        )
    if request.expand not in EXPANSIONS:
        raise Invalid(
            f"expand must be one of {', '.join(EXPANSIONS)}, not {request.expand[:40]!a}",
            field="expand",
        )


def _notes(context: Context, request: RecallRequest, sought: Candidates) -> tuple[str, ...]:
    if sought.newest:
        return ("the query holds no word to look for: these are the newest memories",)
    if sought.meaning:
        return ()
    notes: list[str] = []
    if not context.meaning.on():
        notes.append(f"search by meaning is {context.meaning.state()}; words alone were searched")
    if request.threshold is not None:
        notes.append("threshold had no effect: it is a cosine, and words alone were searched")
    return tuple(notes)


def _match(memory: Memory, score: Score, words: Sequence[str], room: int, now: str) -> Match:
    version = memory.version
    return Match(
        scope=version.scope,
        name=version.name,
        type=version.type,
        description=one_line(version.description, room // 2),
        version=version.version,
        author=version.author,
        updated_at=version.created_at,
        pinned=version.pinned,
        score=score,
        snippet=snippet(version.body, words, min(SNIPPET_WIDTH, room // 2)),
        superseded_by=superseders(memory),
        expired=expired(version.expires_at, now),
    )


def _with_bodies(matches: list[Match], memories: Sequence[Memory]) -> tuple[Match, ...]:
    """Give whole bodies, best first, while the budget left by lines and snippets lasts."""
    left = TEXT_BUDGET - sum(len(match.description) + len(match.snippet) for match in matches)
    filled: list[Match] = []
    for match, memory in zip(matches, memories, strict=True):
        body = memory.version.body
        if body and len(body) <= left:
            left -= len(body)
            match = replace(match, body=body)
        filled.append(match)
    return tuple(filled)
