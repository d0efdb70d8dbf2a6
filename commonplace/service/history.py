"""What became of a memory: each version, what made it, and what it changed."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from commonplace.domain.memory import Version
from commonplace.protocol.replies import HistoryReply, LinkChangeView, VersionView
from commonplace.protocol.requests import HistoryRequest
from commonplace.service.context import Caller, Context
from commonplace.service.naming import locate
from commonplace.store.edges import LinkChange

_COMPARED = ("scope", "name", "type", "description", "body", "pinned", "expires_at", "meta")


def history(context: Context, _caller: Caller, request: HistoryRequest) -> HistoryReply:
    """Show every version of a memory: who wrote it, when, and what changed.

    Use it to see why a fact is as it is, to find what was forgotten, or a version to restore.
    Example: name "test-db-port".
    """
    scope, name = locate(context.store, request.name, request.scope, dead=True)
    versions = context.store.history(scope, name)
    return HistoryReply(
        scope=scope,
        name=name,
        versions=views(versions),
        links=tuple(_link(change) for change in context.store.link_changes(scope, name)),
    )


def views(versions: Sequence[Version]) -> tuple[VersionView, ...]:
    """Return each version beside the one before it of the same memory.

    Shapes: versions oldest first within a memory; several memories may have borne the name.
    """
    lives: dict[str, list[Version]] = {}
    seen: list[VersionView] = []
    for version in versions:
        life = lives.setdefault(version.memory_id, [])
        seen.append(_view(version, life))
        life.append(version)
    return tuple(seen)


def _link(change: LinkChange) -> LinkChangeView:
    return LinkChangeView(
        at=change.at,
        author=change.author,
        done=change.done,
        type=change.type,
        scope=change.scope,
        name=change.name,
    )


def _view(version: Version, earlier: Sequence[Version]) -> VersionView:
    before = earlier[-1] if earlier else None
    return VersionView(
        version=version.version,
        id=version.id,
        memory_id=version.memory_id,
        scope=version.scope,
        name=version.name,
        type=version.type,
        description=version.description,
        body=version.body,
        pinned=version.pinned,
        author=version.author,
        created_at=version.created_at,
        action=_action(version, before, earlier),
        changed=() if before is None else _changed(before, version),
        expires_at=version.expires_at,
        deleted_at=version.deleted_at,
        deleted_by=version.deleted_by,
        diff="" if before is None else _diff(before, version),
    )


def _action(version: Version, before: Version | None, earlier: Sequence[Version]) -> str:
    if before is None:
        return "created"
    if (before.scope, before.name) != (version.scope, version.name):
        return "renamed"
    again = version.content_sha in {old.content_sha for old in earlier}
    if before.deleted_at is not None:
        return "restored" if again else "created"
    return "restored" if again and version.content_sha != before.content_sha else "updated"


def _changed(before: Version, after: Version) -> tuple[str, ...]:
    return tuple(
        field.removesuffix("_at")
        for field in _COMPARED
        if getattr(before, field) != getattr(after, field)
    )


def _diff(before: Version, after: Version) -> str:
    lines = difflib.unified_diff(
        _lines(before),
        _lines(after),
        f"version {before.version}",
        f"version {after.version}",
        lineterm="",
    )
    return "\n".join(lines)


def _lines(version: Version) -> list[str]:
    return [version.description, "", *version.body.split("\n")]
