-- Why: who linked what and when must be known though a link makes no new version, and a [[name]] written
-- without a scope means the memory's own scope first, then global.
-- engine: any
-- data: none

-- 1: written without a scope in a body; moves to the own scope when that name appears there.
ALTER TABLE links ADD COLUMN loose INTEGER NOT NULL DEFAULT 0 CHECK (loose IN (0, 1));

CREATE INDEX links_loose ON links (to_name) WHERE loose = 1;

-- One row for each authored link made or taken away; append-only. Mentions are not in it: they
-- follow from the bodies, of which every version is kept.
CREATE TABLE link_changes (
    from_memory_id TEXT NOT NULL,
    at TEXT NOT NULL,
    author TEXT NOT NULL,               -- agent@host
    done TEXT NOT NULL,                 -- linked or unlinked
    type TEXT NOT NULL,
    to_scope TEXT NOT NULL,             -- the target's name as it was then
    to_name TEXT NOT NULL,
    PRIMARY KEY (from_memory_id, at, type, to_scope, to_name)
) STRICT;
