"""What a change makes of a memory: decided purely, from what is there and what is asked."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from commonplace.domain.memory import Change, Version
from commonplace.errors import Exists, NotFound, VersionConflict

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What the store holds where a change lands.

    `current` is the newest version of the memory the name leads to (None: never was), `wanted` the
    version a restore names, `target` the newest version at a rename's new name, `nearest` close
    names.
    """

    current: Version | None
    wanted: Version | None = None
    target: Version | None = None
    nearest: tuple[str, ...] = ()


def decide(change: Change, state: State, now: str) -> Version:
    """Return the row to append; for `forget`, the newest row with its tombstone set.

    Raises: Exists, NotFound, VersionConflict.
    """
    current = state.current
    if current is not None and (current.scope, current.name) != (change.scope, change.name):
        if change.kind != "remember":
            raise renamed(change.scope, change.name, current)
        current = None
    if change.kind == "remember":
        return _begin(change, current, now)
    if current is None or (current.deleted_at is not None and change.kind != "restore"):
        raise missing(change.scope, change.name, state.nearest, forgotten=current is not None)
    _check_expected(change, current)
    match change.kind:
        case "update":
            return _next(change, current, current, now)
        case "forget":
            return replace(current, deleted_at=now, deleted_by=change.author)
        case "restore":
            return _restore(change, current, state, now)
        case "rename":
            return _rename(change, current, state, now)


def missing(
    scope: str, name: str, nearest: tuple[str, ...] = (), *, forgotten: bool = False
) -> NotFound:
    """Return the error for a name that is not there, with what to try next."""
    if forgotten:
        hint = "it was forgotten; restore it, or look at its history"
    elif nearest:
        hint = f"nearest names: {', '.join(nearest)}"
    else:
        hint = "recall finds memories by what they say"
    return NotFound(
        f"no memory {name} in {scope}; {hint}",
        scope=scope,
        name=name,
        nearest=list(nearest),
        forgotten=forgotten,
    )


def renamed(scope: str, name: str, current: Version) -> NotFound:
    """Return the error for a name its memory has left."""
    return NotFound(
        f"{scope} {name} was renamed to {current.scope} {current.name}; use the new name",
        scope=scope,
        name=name,
        renamed_to={"scope": current.scope, "name": current.name},
    )


def content_sha(version: Version) -> str:
    """Return sha256 hex over everything a person would call the content.

    Scope, name, times and authors are left out: a rename, or a restore of the same text, keeps the
    sha.
    """
    fields: dict[str, Any] = {
        "type": version.type,
        "description": version.description,
        "body": version.body,
        "pinned": version.pinned,
        "expires_at": version.expires_at,
        "meta": version.meta,
    }
    text = json.dumps(fields, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _begin(change: Change, current: Version | None, now: str) -> Version:
    if current is not None and current.deleted_at is None:
        raise Exists(
            f"{change.scope} {change.name} exists at version {current.version}:"
            " update it, or choose another name",
            scope=change.scope,
            name=change.name,
            version=current.version,
        )
    version = Version(
        id=change.id,
        memory_id=current.memory_id if current else change.memory_id,
        version=current.version + 1 if current else 1,
        scope=change.scope,
        name=change.name,
        type=change.type or "reference",
        description=change.description or "",
        body=change.body or "",
        pinned=bool(change.pinned),
        author=change.author,
        created_at=now,
        expires_at=change.expires_at or None,
        meta=change.meta or {},
    )
    return replace(version, content_sha=content_sha(version))


def _keep(asked: _T | None, held: _T) -> _T:
    return held if asked is None else asked


def _next(change: Change, base: Version, current: Version, now: str) -> Version:
    version = replace(
        base,
        id=change.id,
        version=current.version + 1,
        scope=current.scope,
        name=current.name,
        type=_keep(change.type, base.type),
        description=_keep(change.description, base.description),
        body=_keep(change.body, base.body),
        pinned=_keep(change.pinned, base.pinned),
        expires_at=_keep(change.expires_at, base.expires_at) or None,
        meta=_keep(change.meta, base.meta),
        author=change.author,
        created_at=now,
        superseded_by=None,
        deleted_at=None,
        deleted_by=None,
    )
    return replace(version, content_sha=content_sha(version))


def _restore(change: Change, current: Version, state: State, now: str) -> Version:
    if change.version is None and current.deleted_at is None:
        raise Exists(
            f"{change.scope} {change.name} is not forgotten; to go back to an older text,"
            " name its version",
            scope=change.scope,
            name=change.name,
            version=current.version,
        )
    base = current if change.version is None else state.wanted
    if base is None:
        raise NotFound(
            f"{change.scope} {change.name} has no version {change.version};"
            f" it has 1 to {current.version}",
            scope=change.scope,
            name=change.name,
            versions=current.version,
        )
    return _next(change, base, current, now)


def _rename(change: Change, current: Version, state: State, now: str) -> Version:
    scope = change.to_scope or current.scope
    name = change.to_name or current.name
    target = state.target
    taken = (
        target is not None
        and target.memory_id != current.memory_id
        and (target.scope, target.name) == (scope, name)
        and target.deleted_at is None
    )
    if taken or (scope, name) == (current.scope, current.name):
        raise Exists(f"{scope} {name} exists already; choose another name", scope=scope, name=name)
    return replace(_next(change, current, current, now), scope=scope, name=name)


def _check_expected(change: Change, current: Version) -> None:
    if change.expected_version is None or change.expected_version == current.version:
        return
    raise VersionConflict(
        f"{change.scope} {change.name} is at version {current.version}, not"
        f" {change.expected_version}; merge with its body and send again with"
        f" expected_version {current.version}",
        current={
            "scope": current.scope,
            "name": current.name,
            "version": current.version,
            "author": current.author,
            "description": current.description,
            "body": current.body,
        },
    )
