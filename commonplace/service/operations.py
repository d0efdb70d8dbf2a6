"""The table of operations: each defined once, served by every wire from here."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from commonplace.errors import CommonplaceError, Internal, UnknownOperation
from commonplace.protocol import replies, requests
from commonplace.protocol.codec import decode
from commonplace.service import (
    history,
    index,
    links,
    reading,
    recall,
    reindexing,
    scopes,
    secrecy,
    writing,
)
from commonplace.service.context import Caller, Context

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation: what it asks for, what it gives, the function that does it, and its hints.

    `destructive` means that something cannot be had back; `idempotent` that the same call again
    changes nothing more; `mcp` that agents get it as a tool.
    """

    name: str
    request: type
    reply: type
    run: Callable[[Context, Caller, Any], Any]
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = False
    mcp: bool = True

    @property
    def description(self) -> str:
        """Return the docstring of the function: what a model is told."""
        return " ".join(inspect.cleandoc(self.run.__doc__ or "").split())


def _reads(
    name: str,
    request: type,
    reply: type,
    run: Callable[[Context, Caller, Any], Any],
    *,
    mcp: bool = True,
) -> Operation:
    return Operation(
        name=name,
        request=request,
        reply=reply,
        run=run,
        read_only=True,
        idempotent=True,
        mcp=mcp,
    )


OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation(
            name="remember",
            request=requests.RememberRequest,
            reply=replies.WriteReply,
            run=writing.remember,
        ),
        Operation(
            name="update",
            request=requests.UpdateRequest,
            reply=replies.WriteReply,
            run=writing.update,
        ),
        # Nothing forget does is lost: restore undoes it, so that it is not destructive.
        Operation(
            name="forget",
            request=requests.ForgetRequest,
            reply=replies.WriteReply,
            run=writing.forget,
            idempotent=True,
        ),
        Operation(
            name="restore",
            request=requests.RestoreRequest,
            reply=replies.WriteReply,
            run=writing.restore,
        ),
        Operation(
            name="link",
            request=requests.LinkRequest,
            reply=replies.LinkReply,
            run=links.link,
            idempotent=True,
        ),
        Operation(
            name="unlink",
            request=requests.UnlinkRequest,
            reply=replies.LinkReply,
            run=links.unlink,
            idempotent=True,
        ),
        _reads("graph", requests.GraphRequest, replies.GraphReply, links.graph),
        _reads("path", requests.PathRequest, replies.PathReply, links.path),
        _reads("get", requests.GetRequest, replies.MemoryReply, reading.get),
        _reads("recall", requests.RecallRequest, replies.RecallReply, recall.recall),
        _reads("index", requests.IndexRequest, replies.IndexReply, index.index),
        _reads("list", requests.ListRequest, replies.ListReply, reading.list_memories, mcp=False),
        _reads("history", requests.HistoryRequest, replies.HistoryReply, history.history),
        Operation(
            name="rename",
            request=requests.RenameRequest,
            reply=replies.WriteReply,
            run=writing.rename,
        ),
        _reads(
            "list_scopes", requests.ListScopesRequest, replies.ListScopesReply, reading.list_scopes
        ),
        # Two scopes once joined cannot be told apart again.
        Operation(
            name="alias_scope",
            request=requests.AliasScopeRequest,
            reply=replies.AliasScopeReply,
            run=scopes.alias_scope,
            destructive=True,
            idempotent=True,
        ),
        # For a person who looks after the server: an agent has no use for it.
        Operation(
            name="reindex",
            request=requests.ReindexRequest,
            reply=replies.ReindexReply,
            run=reindexing.reindex,
            idempotent=True,
            mcp=False,
        ),
        _reads("stats", requests.StatsRequest, replies.StatsReply, reading.stats),
    )
}


def find(name: str) -> Operation:
    """Return the operation of this name.

    Raises: UnknownOperation, listing the names there are.
    """
    if name in OPERATIONS:
        return OPERATIONS[name]
    raise UnknownOperation(
        f"no operation {name[:60]!a}; there are {', '.join(OPERATIONS)}",
        operations=list(OPERATIONS),
    )


def dispatch(context: Context, operation: Operation, raw: object, caller: Caller) -> Any:
    """Decode the arguments, run the operation, return its reply; the one way in for all wires.

    What a write brings is looked through for secrets first: no message below repeats one.
    Raises: CommonplaceError and nothing else; a fault of ours is logged here and becomes Internal.
    """
    try:
        if not operation.read_only:
            raw = secrecy.guard(raw, context.settings.secrets)
        return operation.run(context, caller, decode(operation.request, raw))
    except CommonplaceError:
        raise
    except Exception as error:
        _log.exception("%s failed", operation.name)
        raise Internal(
            f"{operation.name} failed by a fault of the server, which its log holds; try again"
        ) from error
