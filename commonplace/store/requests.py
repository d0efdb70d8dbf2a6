"""Requests that were settled before: asked again, the same answer and no second write."""

# ruff: noqa: S608 - statements are put together from constants only; every value is bound

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import replace

from commonplace.domain.memory import Change, Version
from commonplace.errors import Invalid
from commonplace.store.base import Written
from commonplace.store.connection import Database
from commonplace.store.rows import COLUMNS, version_of

_SETTLED = (
    f"SELECT r.change_sha, r.kind, {COLUMNS} FROM requests AS r"
    " JOIN memory_versions AS v ON v.id = r.version_id WHERE r.request_id = ?"
)
_SETTLE = (
    "INSERT INTO requests (request_id, change_sha, kind, version_id, settled_at)"
    " VALUES (?, ?, ?, ?, ?)"
)
# Made anew for every attempt, or told by the way a request took, and so no part of what was asked.
_NOT_ASKED = {"id", "memory_id", "author", "request_id"}


def settled(db: Database, change: Change) -> Written | None:
    """Return the answer this request id was given, if it was.

    Raises: Invalid when it was given to another change.
    """
    row = db.execute(_SETTLED, (change.request_id,)).fetchone() if change.request_id else None
    if row is None:
        return None
    sha, kind, *columns = row
    if sha != fingerprint(change):
        raise Invalid(
            f"request_id {ascii(change.request_id)[:80]} was used for another change;"
            " send a new one",
            field="request_id",
        )
    version = replace(version_of(tuple(columns)), superseded_by=None)
    if kind != "forget":
        version = replace(version, deleted_at=None, deleted_by=None)
    return Written(version, replayed=True, kind=kind)


def settle(db: Database, change: Change, version: Version, now: str) -> None:
    """Keep what a request was answered with."""
    if change.request_id:
        db.execute(_SETTLE, (change.request_id, fingerprint(change), change.kind, version.id, now))


def fingerprint(change: Change) -> str:
    """Return sha256 hex over what a change asks for."""
    asked = {
        field: value
        for field, value in dataclasses.asdict(change).items()
        if field not in _NOT_ASKED
    }
    text = json.dumps(asked, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
