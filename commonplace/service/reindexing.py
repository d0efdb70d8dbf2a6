"""The operation that makes words and vectors again."""

from __future__ import annotations

from commonplace.protocol.replies import ReindexReply
from commonplace.protocol.requests import ReindexRequest
from commonplace.service.context import Caller, Context
from commonplace.service.naming import in_range

_LONGEST_WAIT_S = 30


def reindex(context: Context, _caller: Caller, request: ReindexRequest) -> ReindexReply:
    """Make the words and vectors again from the memories themselves, while the server serves.

    Nothing is lost by it. A second call goes on with the first one and tells how far it is. It is
    the way to another model, too.
    """
    wait_s = in_range("wait_s", request.wait_s, 0, _LONGEST_WAIT_S)
    if request.start:
        context.rebuilding.begin()
    state = context.rebuilding.wait(wait_s)
    meaning = context.meaning.state()
    waiting = state.vectors < state.total and not meaning.startswith("off")
    return ReindexReply(
        running=state.running or waiting,
        memories=state.total,
        words=state.words,
        vectors=state.vectors,
        meaning=meaning,
    )
