"""What must hold in any SQLite store at any time, read from the file itself."""

from __future__ import annotations

from pathlib import Path

import apsw

_BROKEN = {
    "versions that do not count from 1": """
        SELECT memory_id FROM memory_versions GROUP BY memory_id
        HAVING min(version) <> 1 OR max(version) <> count(*)""",
    "memories without exactly one newest row": """
        SELECT memory_id FROM memory_versions GROUP BY memory_id
        HAVING sum(superseded_by IS NULL) <> 1""",
    "rows that do not point to the next version": """
        SELECT v.id FROM memory_versions AS v LEFT JOIN memory_versions AS n
        ON n.memory_id = v.memory_id AND n.version = v.version + 1
        WHERE v.superseded_by IS NOT n.id""",
    "live memories their name does not lead to": """
        SELECT v.id FROM memory_versions AS v LEFT JOIN heads AS h
        ON h.scope = v.scope AND h.name = v.name
        WHERE v.superseded_by IS NULL AND v.deleted_at IS NULL
        AND (h.memory_id IS NOT v.memory_id OR h.id <> v.id OR h.version <> v.version)""",
    "links bound to what does not live": """
        SELECT l.to_name FROM links AS l LEFT JOIN memory_versions AS v
        ON v.memory_id = l.to_memory_id AND v.superseded_by IS NULL AND v.deleted_at IS NULL
        WHERE l.to_memory_id IS NOT NULL
        AND (v.id IS NULL OR v.scope <> l.to_scope OR v.name <> l.to_name)""",
    "links that wait for what lives": """
        SELECT l.to_name FROM links AS l JOIN memory_versions AS v
        ON v.scope = l.to_scope AND v.name = l.to_name
        AND v.superseded_by IS NULL AND v.deleted_at IS NULL
        WHERE l.to_memory_id IS NULL AND v.memory_id <> l.from_memory_id""",
    "words of other rows than the live ones": """
        SELECT rowid FROM memory_words EXCEPT
        SELECT seq FROM memory_versions WHERE superseded_by IS NULL AND deleted_at IS NULL""",
    "live rows without words": """
        SELECT seq FROM memory_versions WHERE superseded_by IS NULL AND deleted_at IS NULL
        EXCEPT SELECT rowid FROM memory_words""",
    "stamps that stand still": """
        SELECT created_at FROM memory_versions GROUP BY created_at HAVING count(*) > 1""",
}


def assert_whole(path: Path) -> None:
    """Check the file, its references, its derived words and every rule above."""
    db = apsw.Connection(str(path))
    try:
        assert db.pragma("integrity_check") == "ok"
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        db.execute("INSERT INTO memory_words (memory_words) VALUES ('integrity-check')")
        broken = {what: db.execute(sql).fetchall() for what, sql in _BROKEN.items()}
        assert {what: rows for what, rows in broken.items() if rows} == {}
    finally:
        db.close()
