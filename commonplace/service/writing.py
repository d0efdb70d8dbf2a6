"""The operations that append a version: remember, update, forget, restore, rename."""

from __future__ import annotations

from typing import Any

from commonplace.domain import scope as scopes
from commonplace.domain.memory import Change, ChangeKind
from commonplace.domain.text import check_body, check_description, check_name
from commonplace.errors import Invalid
from commonplace.protocol.replies import WriteReply
from commonplace.protocol.requests import (
    ForgetRequest,
    RememberRequest,
    RenameRequest,
    RestoreRequest,
    UpdateRequest,
)
from commonplace.service import secrecy
from commonplace.service.context import Caller, Context
from commonplace.service.naming import (
    locate,
    read_links,
    read_request_id,
    read_type,
    read_version,
)
from commonplace.service.times import NEVER, read_expiry
from commonplace.store.base import Written

_DONE = {
    "remember": "created",
    "update": "updated",
    "forget": "forgotten",
    "restore": "restored",
    "rename": "renamed",
}


def remember(context: Context, caller: Caller, request: RememberRequest) -> WriteReply:
    """Save one new fact for later sessions, on every machine.

    Use it when you learn something lasting: a preference, a correction, a decision and its reason,
    a pitfall. Not for what the code or git already says, task state, or secrets. Recall first; if
    it is there, update it. Example: scope "project:github.com/acme/app", name "test-db-port",
    description "Tests need Postgres on 5433".
    """
    change = {
        "type": read_type(request.type),
        "description": check_description(request.description),
        "body": check_body(request.body, context.settings.body_limit),
        "pinned": request.pinned,
        "links": read_links(request.links),
        "expires_at": None if request.expires is None else read_expiry(request.expires),
    }
    place = scopes.parse(request.scope), check_name(request.name)
    return _write(context, caller, request, "remember", place, change)


def update(context: Context, caller: Caller, request: UpdateRequest) -> WriteReply:
    """Change a memory; fields left out stay as they are, every old version is kept.

    Use it when a fact changed or was wrong; not to add an unrelated fact. A body replaces the whole
    body: get it first, and pass the version you read as expected_version. Example: name
    "test-db-port", description "Tests need Postgres on 5434", expected_version 1.
    """
    description, body = request.description, request.body
    limit = context.settings.body_limit
    change = {
        "type": None if request.type is None else read_type(request.type),
        "description": None if description is None else check_description(description),
        "body": None if body is None else check_body(body, limit),
        "pinned": request.pinned,
        "links": read_links(request.links),
        "expires_at": None if request.expires is None else read_expiry(request.expires),
    }
    if all(value is None for value in change.values()):
        raise Invalid("nothing to update; give at least one of " + ", ".join(_UPDATABLE))
    place = locate(context.store, request.name, request.scope)
    return _write(context, caller, request, "update", place, change)


def forget(context: Context, caller: Caller, request: ForgetRequest) -> WriteReply:
    """Hide a memory that is wrong or no longer holds; restore brings it back.

    Not for a fact that changed: update it. Example: name "test-db-port".
    """
    place = locate(context.store, request.name, request.scope)
    return _write(context, caller, request, "forget", place, {})


def restore(context: Context, caller: Caller, request: RestoreRequest) -> WriteReply:
    """Bring back a forgotten memory, or go back to an older version, as a new version.

    history shows the versions. Example: name "test-db-port", version 1.
    """
    version = read_version(request.version)
    place = locate(context.store, request.name, request.scope, dead=True)
    _check_restored(context, place, version)
    return _write(context, caller, request, "restore", place, {"version": version})


def rename(context: Context, caller: Caller, request: RenameRequest) -> WriteReply:
    """Give a memory another name, or move it to another scope; its history and links go along.

    Not to change what it says: update it. Example: name "db-port", to_name "test-db-port".
    """
    change = {
        "to_name": None if request.to_name is None else check_name(request.to_name),
        "to_scope": None if request.to_scope is None else scopes.parse(request.to_scope),
    }
    if not any(change.values()):
        raise Invalid("nothing to rename; give to_name, to_scope or both", field="to_name")
    place = locate(context.store, request.name, request.scope)
    return _write(context, caller, request, "rename", place, change)


def _check_restored(context: Context, place: tuple[str, str], version: int | None) -> None:
    """Hold an old version to the rules of today: it may be older than they are."""
    old = context.store.get(*place, version).version
    texts = {"description": old.description, "body": old.body, "meta": old.meta}
    secrecy.check(texts, context.settings.secrets)


_UPDATABLE = ("description", "body", "type", "pinned", "expires", "links")


def _write(
    context: Context,
    caller: Caller,
    request: Any,
    kind: ChangeKind,
    place: tuple[str, str],
    change: dict[str, Any],
) -> WriteReply:
    now = context.now()
    written = context.store.write(
        Change(
            kind=kind,
            id=context.new_id(now),
            memory_id=context.new_id(now),
            scope=place[0],
            name=place[1],
            author=caller.author(request.agent),
            expected_version=getattr(request, "expected_version", None),
            request_id=read_request_id(request.request_id),
            **change,
        )
    )
    context.meaning.wake()
    return _reply(written, now)


def _reply(written: Written, now: str) -> WriteReply:
    version = written.version
    warnings: list[str] = []
    if written.replayed:
        warnings.append("this request_id was settled before; nothing was written again")
    if version.expires_at is not None and version.expires_at <= now:
        warnings.append(
            f"expires {version.expires_at} lies in the past: index and recall leave it out;"
            f" update with expires '{NEVER}' to keep it"
        )
    return WriteReply(
        scope=version.scope,
        name=version.name,
        version=version.version,
        memory_id=version.memory_id,
        id=version.id,
        author=version.deleted_by or version.author,
        created_at=version.created_at,
        action=_DONE[written.kind],
        deleted_at=version.deleted_at,
        replayed=written.replayed,
        warnings=tuple(warnings),
    )
