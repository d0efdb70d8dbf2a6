"""Which rows a reader may see, as SQL conditions."""

from __future__ import annotations

import json
from typing import Any

from commonplace.store.base import Selection
from commonplace.store.connection import Database
from commonplace.store.names import resolve_all

NEWEST = "v.superseded_by IS NULL AND v.deleted_at IS NULL"
NOT_EXPIRED = "(v.expires_at IS NULL OR v.expires_at > :now)"
# A superseder hides its target while it is neither forgotten nor expired; that it is superseded
# itself changes nothing, or the oldest of three would come back.
_SUPERSEDER = (
    "SELECT 1 FROM links AS l JOIN memory_versions AS s"
    " ON s.memory_id = l.from_memory_id AND s.superseded_by IS NULL AND s.deleted_at IS NULL"
    " AND (s.expires_at IS NULL OR s.expires_at > :now)"
    " WHERE l.to_memory_id = v.memory_id AND l.type = 'supersedes'"
)
SUPERSEDED = f"EXISTS ({_SUPERSEDER})"
NOT_SUPERSEDED = f"NOT {SUPERSEDED}"
LIVE = f"{NEWEST} AND {NOT_EXPIRED} AND {NOT_SUPERSEDED}"
_IN_SCOPES = "v.scope IN (SELECT value FROM json_each(:scopes))"
_OF_TYPES = "v.type IN (SELECT value FROM json_each(:types))"


def where(db: Database, selection: Selection) -> tuple[str, dict[str, Any]]:
    """Return the condition on `memory_versions AS v` and what it binds; aliases are followed."""
    parts = [NEWEST]
    binds: dict[str, Any] = {"now": selection.now}
    if selection.scopes is not None:
        parts.append(_IN_SCOPES)
        binds["scopes"] = json.dumps(resolve_all(db, selection.scopes))
    if selection.types is not None:
        parts.append(_OF_TYPES)
        binds["types"] = json.dumps(selection.types)
    if not selection.expired:
        parts.append(NOT_EXPIRED)
    if not selection.superseded:
        parts.append(NOT_SUPERSEDED)
    return " AND ".join(parts), binds
