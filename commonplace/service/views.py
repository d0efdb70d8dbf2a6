"""Turn what the store holds into what a reply shows."""

from __future__ import annotations

from commonplace.protocol.replies import Line, LinkView, MemoryReply, Ref
from commonplace.store.base import IndexRow, LinkRow, Memory


def memory(found: Memory, now: str) -> MemoryReply:
    """Return a memory whole, as of now."""
    version = found.version
    return MemoryReply(
        scope=version.scope,
        name=version.name,
        type=version.type,
        description=version.description,
        body=version.body,
        pinned=version.pinned,
        version=version.version,
        versions=found.versions,
        id=version.id,
        memory_id=version.memory_id,
        author=version.author,
        created_at=found.first_created_at,
        updated_at=version.created_at,
        content_sha=version.content_sha,
        expires_at=version.expires_at,
        expired=expired(version.expires_at, now),
        deleted_at=version.deleted_at,
        deleted_by=version.deleted_by,
        links=tuple(link(row) for row in found.links_out),
        links_in=tuple(link(row) for row in found.links_in),
        superseded_by=superseders(found),
        meta=version.meta,
    )


def superseders(found: Memory) -> tuple[Ref, ...]:
    """Return the live memories that stand in this one's place."""
    return tuple(Ref(scope=scope, name=name) for scope, name in found.superseded_by)


def expired(expires_at: str | None, now: str) -> bool:
    """Tell whether an expiry has passed."""
    return expires_at is not None and expires_at <= now


def line(row: IndexRow) -> Line:
    """Return a memory in one line."""
    return Line(
        scope=row.scope,
        name=row.name,
        type=row.type,
        description=row.description,
        pinned=row.pinned,
        updated_at=row.updated_at,
    )


def link(row: LinkRow) -> LinkView:
    """Return an edge seen from one end."""
    return LinkView(
        type=row.type,
        scope=row.scope,
        name=row.name,
        origin=row.origin,
        resolved=row.memory_id is not None,
        description=row.description,
    )
