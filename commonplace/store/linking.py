"""Making and taking away one authored link, apart from any version."""

from __future__ import annotations

import contextlib

from commonplace.domain import life
from commonplace.domain.memory import Link, Version
from commonplace.errors import NotFound, SelfLink
from commonplace.store import links, names
from commonplace.store.connection import Database
from commonplace.store.edges import LinkChange, Linked
from commonplace.store.rows import fetch

CHANGES = (
    "SELECT at, author, done, type, to_scope, to_name FROM link_changes"
    " WHERE from_memory_id IN"
    " (SELECT memory_id FROM memory_versions WHERE scope = ? AND name = ?)"
    " ORDER BY at, type, to_scope, to_name"
)


def link(db: Database, scope: str, name: str, edge: Link, signed: links.Signed) -> Linked:
    """Make a link; one that is there already stays as it is.

    Raises: NotFound, SelfLink, Cycle.
    """
    version = _standing(db, scope, name)
    end = links.place(db, version, edge)
    changed = links.put(db, version, edge.type, end, signed)
    links.refuse_cycle(db, version)
    return _linked(version, edge.type, end, changed=changed)


def unlink(db: Database, scope: str, name: str, edge: Link, signed: links.Signed) -> Linked:
    """Take a link away; one that is not there is no error.

    Raises: NotFound.
    """
    version = _standing(db, scope, name)
    written = links.Place(None, names.resolve(db, edge.scope or version.scope), edge.name)
    ends = [written]
    with contextlib.suppress(SelfLink):
        ends.append(links.place(db, version, edge))
    for end in ends:
        if links.drop(db, version, edge.type, (end.scope, end.name), signed):
            return _linked(version, edge.type, end, changed=True)
    return _linked(version, edge.type, ends[-1], changed=False)


def changes(db: Database, scope: str, name: str) -> tuple[LinkChange, ...]:
    """Return every authored link made or taken away by the memories that bore a name."""
    rows = fetch(db, CHANGES, (names.resolve(db, scope), name))
    return tuple(
        LinkChange(at=at, author=author, done=done, type=type_, scope=to_scope, name=to_name)
        for at, author, done, type_, to_scope, to_name in rows
    )


def _standing(db: Database, scope: str, name: str) -> Version:
    scope = names.resolve(db, scope)
    current = names.leads_to(db, scope, name)
    if current is None:
        raise life.missing(scope, name)
    if (current.scope, current.name) != (scope, name):
        raise life.renamed(scope, name, current)
    if current.deleted_at is not None:
        raise life.missing(scope, name, forgotten=True)
    return current


def standing_id(db: Database, scope: str, name: str) -> str:
    """Return the memory id of a name that is not forgotten.

    Raises: NotFound.
    """
    try:
        return _standing(db, scope, name).memory_id
    except NotFound as error:
        if error.details.get("forgotten") is not False:
            raise
        scope = names.resolve(db, scope)
        raise life.missing(scope, name, names.nearest(db, scope, name)) from None


def _linked(version: Version, type_: str, end: links.Place, *, changed: bool) -> Linked:
    return Linked(
        scope=version.scope,
        name=version.name,
        memory_id=version.memory_id,
        type=type_,
        to_scope=end.scope,
        to_name=end.name,
        resolved=end.memory_id is not None,
        changed=changed,
    )
