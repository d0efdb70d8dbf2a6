"""The words live rows are found by (FTS5), derived from the base tables."""

# ruff: noqa: S608 - statements are put together from constants only; every value is bound

from __future__ import annotations

from collections.abc import Callable

import apsw

from commonplace.domain.memory import Version
from commonplace.errors import Invalid
from commonplace.store.base import Selection, WordHit
from commonplace.store.connection import Database
from commonplace.store.rows import fetch
from commonplace.store.selection import where

Prepare = Callable[[str], str]

# Weights of name, description and body. Source: measured (docs/recall.md).
_RANK = "bm25(memory_words, 2.0, 2.0, 1.0)"
_PUT = (
    "INSERT INTO memory_words (rowid, name, description, body)"
    " SELECT seq, ?, ?, ? FROM memory_versions WHERE id = ?"
)
_DROP = "DELETE FROM memory_words WHERE rowid = (SELECT seq FROM memory_versions WHERE id = ?)"
_FIND = (
    f"SELECT v.id, -{_RANK} AS score FROM memory_words"
    " JOIN memory_versions AS v ON v.seq = memory_words.rowid"
    " WHERE memory_words MATCH :match AND {where} ORDER BY score DESC, v.seq DESC LIMIT :limit"
)


def put(db: Database, prepare: Prepare, version: Version) -> None:
    """Make a stored version findable."""
    texts = (prepare(version.name), prepare(version.description), prepare(version.body))
    db.execute(_PUT, (*texts, version.id))


def drop(db: Database, id_: str) -> None:
    """Make a version unfindable; one that is not there is no error."""
    db.execute(_DROP, (id_,))


def find(db: Database, match: str, selection: Selection, limit: int) -> tuple[WordHit, ...]:
    """Return the best matches; a blank expression finds nothing.

    Raises: Invalid for an expression FTS5 cannot read.
    """
    if not match.strip() or limit < 1:
        return ()
    if match.lstrip().startswith("*"):  # FTS5 reads these as commands to itself
        raise _unreadable()
    condition, binds = where(db, selection)
    try:
        rows = fetch(db, _FIND.format(where=condition), {**binds, "match": match, "limit": limit})
    except apsw.SQLError as error:
        raise _unreadable() from error
    return tuple(WordHit(id_, score) for id_, score in rows)


def _unreadable() -> Invalid:
    return Invalid("the search words cannot be read as a query; use plain words", field="query")
