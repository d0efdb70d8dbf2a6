"""What a scope and a name lead to: aliases followed, renames followed, close names offered."""

# ruff: noqa: S608 - statements are put together from constants only; every value is bound

from __future__ import annotations

import difflib
from collections.abc import Iterable

from commonplace.domain.memory import Version
from commonplace.store.connection import Database
from commonplace.store.rows import COLUMNS, version_of

NEAREST = 3
NEAREST_AMONG = 5000

ALIAS_OF = "SELECT alias_of FROM scopes WHERE scope = ?"
LEADS_TO = (
    f"SELECT {COLUMNS} FROM heads AS h"
    " JOIN memory_versions AS v ON v.memory_id = h.memory_id AND v.superseded_by IS NULL"
    " WHERE h.scope = ? AND h.name = ?"
)
NUMBERED = f"SELECT {COLUMNS} FROM memory_versions AS v WHERE v.memory_id = ? AND v.version = ?"
SCOPES_OF = (
    "SELECT scope FROM memory_versions"
    " WHERE name = ? AND superseded_by IS NULL AND deleted_at IS NULL ORDER BY scope"
)
_NAMES_IN = (
    "SELECT name FROM memory_versions"
    " WHERE scope = ? AND superseded_by IS NULL AND deleted_at IS NULL LIMIT ?"
)


def resolve(db: Database, scope: str) -> str:
    """Return the scope this one is an alias of, or itself; aliases are stored flat."""
    return db.execute(ALIAS_OF, (scope,)).get or scope


def resolve_all(db: Database, scopes: Iterable[str]) -> tuple[str, ...]:
    """Return the scopes with aliases followed, each once."""
    return tuple(dict.fromkeys(resolve(db, scope) for scope in scopes))


def leads_to(db: Database, scope: str, name: str) -> Version | None:
    """Return the newest version of the memory that bears this name, or last left it."""
    row = db.execute(LEADS_TO, (scope, name)).fetchone()
    return None if row is None else version_of(row)


def numbered(db: Database, memory_id: str, version: int) -> Version | None:
    """Return one version of a memory."""
    row = db.execute(NUMBERED, (memory_id, version)).fetchone()
    return None if row is None else version_of(row)


def scopes_of(db: Database, name: str) -> tuple[str, ...]:
    """Return the scopes in which a not-forgotten memory bears this name, sorted."""
    return tuple(row[0] for row in db.execute(SCOPES_OF, (name,)))


def nearest(db: Database, scope: str, name: str) -> tuple[str, ...]:
    """Return the few names in the scope that look most like this one, best first."""
    there = [row[0] for row in db.execute(_NAMES_IN, (scope, NEAREST_AMONG))]
    alike = difflib.get_close_matches(name, there, NEAREST, 0.5)
    holding = sorted(other for other in there if name in other or other in name)
    return tuple(dict.fromkeys([*alike, *holding]))[:NEAREST]
