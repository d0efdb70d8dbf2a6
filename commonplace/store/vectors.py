"""The vectors live rows are found by, derived from the base tables by one model."""

# ruff: noqa: S608 - statements are put together from constants only; every value is bound

from __future__ import annotations

import json
from collections.abc import Sequence

from commonplace.domain.memory import Version
from commonplace.domain.vector import Vector, check
from commonplace.errors import Unavailable
from commonplace.store.connection import Database
from commonplace.store.edges import Selection
from commonplace.store.embeddings import Model, Unembedded, VectorHit, VectorRow, VectorsState
from commonplace.store.names import resolve_all
from commonplace.store.nearby import Nearby
from commonplace.store.rows import fetch
from commonplace.store.selection import NEWEST, where

# How much each channel counts where only one ranking can be given.
# Source: measured on the bench sets (docs/recall.md); .25 / .75 beats either alone.
DESCRIPTION_WEIGHT, BODY_WEIGHT = 0.25, 0.75
# Candidates beyond the limit, since some will turn out not to be live.
MARGIN = 32

_MODEL = (
    "SELECT json_group_object(key, value) FROM store_meta WHERE key LIKE 'model\\_%' ESCAPE '\\'"
)
_SET = (
    "INSERT INTO store_meta (key, value) VALUES (?, ?)"
    " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)
PENDING = (
    "SELECT v.id, v.name, v.description, v.body FROM memory_versions AS v"
    f" WHERE v.created_at > ? AND {NEWEST}"
    " AND NOT EXISTS (SELECT 1 FROM memory_vectors AS m WHERE m.seq = v.seq)"
    " ORDER BY v.created_at DESC LIMIT ?"
)
_PUT = (
    "INSERT INTO memory_vectors (seq, description, body)"
    f" SELECT v.seq, ?, ? FROM memory_versions AS v WHERE v.id = ? AND {NEWEST}"
    " ON CONFLICT (seq) DO UPDATE SET description = excluded.description, body = excluded.body"
)
_CLEAR = "DELETE FROM memory_vectors"
_DROP = "DELETE FROM memory_vectors WHERE seq = (SELECT seq FROM memory_versions WHERE id = ?)"
# Not an update of seq: the hook that keeps memory in step is told only the row number after it.
_FOLLOW = (
    "INSERT INTO memory_vectors (seq, description, body)"
    " SELECT after.seq, m.description, m.body FROM memory_versions AS after, memory_vectors AS m"
    " WHERE after.id = ? AND m.seq = (SELECT seq FROM memory_versions WHERE id = ?)"
)
_COSINES = (
    "1 - vec_distance_cosine(m.description, :query),"
    " 1 - vec_distance_cosine(coalesce(m.body, m.description), :query)"
)
_SCAN = (
    "SELECT id, description, body FROM ("
    f" SELECT v.id, v.seq, {_COSINES.replace('),', ') AS description,', 1)} AS body"
    " FROM memory_vectors AS m JOIN memory_versions AS v ON v.seq = m.seq WHERE {where})"
    f" ORDER BY {DESCRIPTION_WEIGHT} * description + {BODY_WEIGHT} * body DESC, seq DESC"
    " LIMIT :limit"
)
_OF_SEQS = (
    f"SELECT v.id, {_COSINES} FROM memory_versions AS v"
    " JOIN memory_vectors AS m ON m.seq = v.seq"
    " WHERE v.seq IN (SELECT value FROM json_each(:seqs)) AND {where}"
)
_OF_IDS = (
    f"SELECT v.id, {_COSINES} FROM memory_versions AS v"
    " JOIN memory_vectors AS m ON m.seq = v.seq"
    " WHERE v.id IN (SELECT value FROM json_each(:ids))"
)
_COUNTS = (
    "SELECT count(m.seq), count(*) - count(m.seq) FROM memory_versions AS v"
    f" LEFT JOIN memory_vectors AS m ON m.seq = v.seq WHERE {NEWEST}"
)


def model(db: Database) -> Model | None:
    """Return the model the vectors here come from."""
    told: dict[str, str] = json.loads(db.execute(_MODEL).get)
    if "model_sha256" not in told:
        return None
    return Model(told["model_name"], int(told["model_width"]), told["model_sha256"])


def name_model(db: Database, named: Model) -> None:
    """Record whose vectors follow."""
    set_meta(db, "model_name", named.name)
    set_meta(db, "model_width", str(named.width))
    set_meta(db, "model_sha256", named.sha256)


def set_meta(db: Database, key: str, value: str) -> None:
    """Keep a fact about the store."""
    db.execute(_SET, (key, value))


def clear(db: Database) -> None:
    """Take all vectors away."""
    db.execute(_CLEAR)


def adopt(db: Database, offered: Model) -> Model:
    """Return the store's model; the one offered becomes it where there is none."""
    held = model(db)
    if held is None:
        name_model(db, offered)
    return held or offered


def pending(db: Database, after: str, limit: int) -> tuple[Unembedded, ...]:
    """Return newest versions without vectors, newest first, written after a stamp."""
    return tuple(Unembedded(*row) for row in fetch(db, PENDING, (after, max(limit, 0))))


def put(db: Database, rows: Sequence[VectorRow]) -> int:
    """Keep the vectors of versions that are still the newest.

    Raises: Invalid, Unavailable.
    """
    width = _width(db)
    kept = 0
    for row in rows:
        description = check(row.description, width)[0]
        body = None if row.body is None else check(row.body, width)[0]
        db.execute(_PUT, (_blob(description), None if body is None else _blob(body), row.id))
        kept += db.changes()
    return kept


def drop(db: Database, id_: str) -> None:
    """Take a version's vectors away; one without any is no error."""
    db.execute(_DROP, (id_,))


def follow(db: Database, before: Version, after: Version) -> None:
    """Hand the vectors on to the next version where its texts are the same, else drop them."""
    same = all(
        getattr(before, text) == getattr(after, text) for text in ("name", "description", "body")
    )
    if same and after.deleted_at is None:
        db.execute(_FOLLOW, (after.id, before.id))
    drop(db, before.id)


def neighbours(
    db: Database, near: Nearby, query: Vector, selection: Selection, limit: int
) -> tuple[VectorHit, ...]:
    """Return the selected rows closest to the query, best first.

    Nothing may have been read in this snapshot before.
    """
    held = near.width
    if near.loaded and held:
        near.sync(db)
    if limit < 1 or model(db) is None:
        return ()
    asked = check(query, _width(db))[0]
    if near.loaded and held == len(asked):
        return _by_memory(db, near, asked, selection, limit)
    return scan(db, asked, selection, limit)


def scan(db: Database, query: Vector, selection: Selection, limit: int) -> tuple[VectorHit, ...]:
    """Return the same by reading every vector in the file, while memory does not hold them yet."""
    condition, binds = where(db, selection)
    binds |= {"query": _blob(query), "limit": limit}
    return tuple(VectorHit(*row) for row in fetch(db, _SCAN.format(where=condition), binds))


def _by_memory(
    db: Database, near: Nearby, query: Vector, selection: Selection, limit: int
) -> tuple[VectorHit, ...]:
    """Take more candidates until enough of them are live, or there are no more."""
    scopes = None if selection.scopes is None else resolve_all(db, selection.scopes)
    condition, binds = where(db, selection)
    sql = _OF_SEQS.format(where=condition)
    binds["query"] = _blob(query)
    many = 2 * limit + MARGIN
    while True:
        seqs, whole = near.closest(query, scopes, selection.types, many)
        hits = [VectorHit(*row) for row in fetch(db, sql, {**binds, "seqs": json.dumps(seqs)})]
        if whole or len(hits) >= limit:
            hits.sort(key=_rank, reverse=True)
            return tuple(hits[:limit])
        many *= 4


def _rank(hit: VectorHit) -> tuple[float, str]:
    return DESCRIPTION_WEIGHT * hit.description + BODY_WEIGHT * hit.body, hit.id


def cosines(db: Database, query: Vector, ids: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return the cosines (description, body) of these versions; without vectors, left out."""
    if not ids or model(db) is None:
        return {}
    asked = _blob(check(query, _width(db))[0])
    rows = fetch(db, _OF_IDS, {"query": asked, "ids": json.dumps(list(ids))})
    return {id_: (description, body) for id_, description, body in rows}


def warm(db: Database, near: Nearby) -> bool:
    """Read more vectors into memory; return False when all are there."""
    held = model(db)
    return held is not None and not near.loaded and near.load(db, held.width)


def state(db: Database) -> VectorsState:
    """Return whose vectors are held, and how many newest versions have and lack them."""
    held, lacking = fetch(db, _COUNTS)[0]
    return VectorsState(model=model(db), held=held, pending=lacking)


def _width(db: Database) -> int:
    held = model(db)
    if held is None:
        raise Unavailable("no model's vectors are kept here yet; adopt a model first")
    return held.width


def _blob(vector: Vector) -> bytes:
    return vector.astype("<f4").tobytes()
