"""The operations that show what is there: get, list, list_scopes, stats."""

from __future__ import annotations

from commonplace.domain.life import missing
from commonplace.protocol.replies import (
    ListReply,
    ListScopesReply,
    MemoryReply,
    ScopeView,
    StatsReply,
)
from commonplace.protocol.requests import (
    GetRequest,
    ListRequest,
    ListScopesRequest,
    StatsRequest,
)
from commonplace.service import views
from commonplace.service.context import Caller, Context
from commonplace.service.naming import in_range, locate, read_scopes, read_types, read_version
from commonplace.service.ordering import ordered
from commonplace.store.base import Selection

_MOST = 1000


def get(context: Context, _caller: Caller, request: GetRequest) -> MemoryReply:
    """Read one memory whole: body, links, version, author.

    Use it when an index or recall line names what you need, and before an update. Not to search:
    recall. Example: name "test-db-port".
    """
    scope, name = locate(context.store, request.name, request.scope)
    found = context.store.get(scope, name, read_version(request.version))
    if found.version.deleted_at is not None and request.version is None:
        raise missing(scope, name, forgotten=True)
    context.store.note_reads([found.version.id])
    return views.memory(found, context.now())


def list_memories(context: Context, _caller: Caller, request: ListRequest) -> ListReply:
    """List live memories, one line each, in the order of the index."""
    limit = in_range("limit", request.limit, 1, _MOST)
    selection = Selection(
        now=context.now(), scopes=read_scopes(request.scopes), types=read_types(request.types)
    )
    rows = ordered(context.store.index(selection))
    return ListReply(memories=tuple(views.line(row) for row in rows[:limit]), total=len(rows))


def list_scopes(context: Context, _caller: Caller, _request: ListScopesRequest) -> ListScopesReply:
    """List every scope, how much it holds, and which are aliases.

    Use it to see how a machine or project is spelled before you write to it.
    """
    return ListScopesReply(
        scopes=tuple(
            ScopeView(
                scope=row.scope,
                memories=row.live,
                forgotten=row.forgotten,
                created_at=row.created_at,
                alias_of=row.alias_of,
                last_written_at=row.last_written_at,
            )
            for row in context.store.scopes()
        )
    )


def stats(context: Context, _caller: Caller, request: StatsRequest) -> StatsReply:
    """Count memories, versions and links; with never_read, list what nobody has read yet.

    Use it to tidy up, not to find facts.
    """
    limit = in_range("limit", request.limit, 1, _MOST)
    counts = context.store.counts(context.now())
    unread = context.store.never_read(limit) if request.never_read else None
    return StatsReply(
        memories=counts.memories,
        versions=counts.versions,
        forgotten=counts.forgotten,
        superseded=counts.superseded,
        expired=counts.expired,
        links=counts.links,
        size_bytes=counts.size_bytes,
        by_type=counts.by_type,
        by_scope=counts.by_scope,
        server_version=context.version,
        meaning=context.meaning.state(),
        vectors_waiting=context.store.vectors_state().pending if context.meaning.on() else 0,
        never_read=None if unread is None else tuple(views.line(row) for row in unread),
    )
