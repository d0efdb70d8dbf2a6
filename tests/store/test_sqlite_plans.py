"""Hot statements reach their rows through an index."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace.store import links, names, read, requests, selection, vectors, words, write
from commonplace.store.sqlite import SqliteStore, open_store
from store.build import HandClock, remember, seen

HOT = {
    "resolve a scope": names.ALIAS_OF,
    "find by name": names.LEADS_TO,
    "find a version": names.NUMBERED,
    "scopes of a name": names.SCOPES_OF,
    "load by ids": read._BY_ID,
    "life spans": read._SPANS,
    "links out": read.LINKS_OUT,
    "links in": read.LINKS_IN,
    "superseders": read._SUPERSEDERS,
    "history": read._HISTORY,
    "changes": read.CHANGED,
    "last stamp": read._LAST_STAMP,
    "index": read.INDEX,
    "recent": read.RECENT,
    "words": words._FIND,
    "drop words": words._DROP,
    "drop vectors": vectors._DROP,
    "vectors of ids": vectors._OF_IDS,
    "vectors of rows": vectors._OF_SEQS,
    "what waits for vectors": vectors.PENDING,
    "settled request": requests._SETTLED,
    "bind links": links.BIND,
    "unbind links": links.UNBIND,
    "follow a rename": links.FOLLOW,
    "cycle": links.RETURNS,
    "supersede": write._SUPERSEDE,
    "entomb": write._ENTOMB,
    "heads follow": write._HEADS_FOLLOW,
}
TABLES = {"v", "l", "e", "s", "r", "h", "memory_versions", "links", "heads", "requests", "scopes"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = open_store(tmp_path / "store.db", prepare=str.lower, clock=HandClock())
    opened.write(remember("a"))
    yield opened
    opened.close()


@pytest.mark.parametrize("what", HOT)
@pytest.mark.parametrize("scopes", [None, ("global",)], ids=["all scopes", "some scopes"])
def test_no_hot_statement_walks_a_whole_table(
    store: SqliteStore, what: str, scopes: tuple[str, ...] | None
) -> None:
    with store._readers.snapshot() as db:
        sql = HOT[what].replace("{where}", selection.where(db, seen(scopes=scopes))[0])
        unnamed = (None,) * sql.count("?")
        binds = unnamed or dict.fromkeys(re.findall(r":(\w+)", sql))
        plan = [str(row[3]) for row in db.execute(f"EXPLAIN QUERY PLAN {sql}", binds)]
    walks = [re.fullmatch(r"SCAN (\w+)", step) for step in plan]
    assert [walk[1] for walk in walks if walk and walk[1] in TABLES] == []
