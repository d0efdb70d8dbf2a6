"""Making words and vectors again from the base rows, a few at a time while everything goes on.

How far it has come is kept in store_meta, so that it goes on after a stop: `words` counts upward to
`top`, the last row there was when it began; `vectors` counts downward from above it to nothing.
"""

# ruff: noqa: S608 - statements are put together from constants only; every value is bound

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace

import apsw

from commonplace.store import vectors, words
from commonplace.store.connection import Database
from commonplace.store.embeddings import Model, Rebuild, Unembedded
from commonplace.store.rows import fetch
from commonplace.store.selection import NEWEST

_KEY = "reindex"
_GET = "SELECT value FROM store_meta WHERE key = ?"
_DONE = "DELETE FROM store_meta WHERE key = ?"
_TOP = "SELECT coalesce(max(seq), 0) FROM memory_versions"
_CHECK = "INSERT INTO memory_words (memory_words) VALUES ('integrity-check')"
_CLEAR_WORDS = "INSERT INTO memory_words (memory_words) VALUES ('delete-all')"
_UP_TO = (
    "SELECT max(seq) FROM"
    " (SELECT seq FROM memory_versions WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?)"
)
_WORDS_IN = "SELECT rowid FROM memory_words WHERE rowid > ? AND rowid <= ?"
_DROP_WORDS = "DELETE FROM memory_words WHERE rowid = ?"
_TEXTS_IN = (
    "SELECT v.seq, v.name, v.description, v.body FROM memory_versions AS v"
    f" WHERE v.seq > ? AND v.seq <= ? AND {NEWEST}"
)
_PUT_WORDS = "INSERT INTO memory_words (rowid, name, description, body) VALUES (?, ?, ?, ?)"
_STALE = (
    "SELECT v.id, v.name, v.description, v.body FROM memory_versions AS v"
    f" WHERE v.seq < ? AND {NEWEST} ORDER BY v.seq DESC LIMIT ?"
)
_LOWEST = "SELECT min(seq) FROM memory_versions WHERE id IN (SELECT value FROM json_each(?))"
_ORPHANS = (
    "DELETE FROM memory_vectors WHERE seq IN (SELECT m.seq FROM memory_vectors AS m"
    f" LEFT JOIN memory_versions AS v ON v.seq = m.seq AND {NEWEST} WHERE v.seq IS NULL)"
)
_COUNTS = (
    "SELECT count(*), count(*) FILTER (WHERE v.seq > :words),"
    " count(*) FILTER (WHERE v.seq < :vectors OR m.seq IS NULL)"
    " FROM memory_versions AS v LEFT JOIN memory_vectors AS m ON m.seq = v.seq"
    f" WHERE v.seq <= :top AND {NEWEST}"
)


@dataclass(frozen=True, slots=True)
class _Mark:
    """How far it has come: the last row whose words, the lowest whose vectors were made again."""

    top: int
    words: int
    vectors: int


def begin(db: Database, model: Model | None) -> bool:
    """Begin, or go on where it stopped; say whether the vectors became another model's.

    `model` None leaves the vectors as they are.
    """
    held = vectors.model(db)
    switched = model is not None and model != held
    mark = _mark(db)
    if mark is None:
        top = db.execute(_TOP).get
        mark = _Mark(top, 0, 0 if model is None else top + 1)
        _mend_words(db)
    if model is not None and switched:
        vectors.clear(db)
        vectors.name_model(db, model)
        mark = replace(mark, vectors=0)  # none is there: all wait as those of new memories do
    _keep(db, mark)
    return switched


def some_words(db: Database, prepare: words.Prepare, limit: int) -> bool:
    """Make the words of the next rows again; say whether there are more."""
    mark = _mark(db)
    if mark is None:
        return False
    up_to = db.execute(_UP_TO, (mark.words, mark.top, limit)).get
    if up_to is None:
        _keep(db, replace(mark, words=mark.top))
        return False
    reach = (mark.words, up_to)
    for (row,) in fetch(db, _WORDS_IN, reach):
        db.execute(_DROP_WORDS, (row,))
    for seq, *texts in fetch(db, _TEXTS_IN, reach):
        db.execute(_PUT_WORDS, (seq, *(prepare(text) for text in texts)))
    _keep(db, replace(mark, words=up_to))
    return True


def stale(db: Database, limit: int) -> tuple[Unembedded, ...]:
    """Return the next versions whose vectors are to be made again, newest first."""
    mark = _mark(db)
    if mark is None or mark.vectors == 0:
        return ()
    return tuple(Unembedded(*row) for row in fetch(db, _STALE, (mark.vectors, limit)))


def remade(db: Database, ids: list[str]) -> None:
    """Note that the vectors of these were made again; none means that there are no more."""
    mark = _mark(db)
    if mark is None:
        return
    if ids:
        _keep(db, replace(mark, vectors=db.execute(_LOWEST, (json.dumps(ids),)).get or 0))
    else:
        db.execute(_ORPHANS)
        _keep(db, replace(mark, vectors=0))


def state(db: Database) -> Rebuild:
    """Return how far it has come."""
    mark = _mark(db) or _Mark(db.execute(_TOP).get, db.execute(_TOP).get, 0)
    total, words_left, vectors_left = fetch(db, _COUNTS, asdict(mark))[0]
    return Rebuild(
        running=_mark(db) is not None,
        total=total,
        words=total - words_left,
        vectors=total - vectors_left,
    )


def _mend_words(db: Database) -> None:
    """Empty a word index that is damaged: its rows could not be taken out one by one."""
    try:
        db.execute(_CHECK)
    except apsw.Error:
        db.execute(_CLEAR_WORDS)


def _mark(db: Database) -> _Mark | None:
    text = db.execute(_GET, (_KEY,)).get
    return None if text is None else _Mark(**json.loads(text))


def _keep(db: Database, mark: _Mark) -> None:
    """Keep a mark, until there is nothing left to do."""
    if mark.words >= mark.top and mark.vectors == 0:
        db.execute(_DONE, (_KEY,))
    else:
        vectors.set_meta(db, _KEY, json.dumps(asdict(mark)))
