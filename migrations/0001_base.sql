-- Why: the tables that hold the truth. Everything else (words, vectors) is derived from them and can be
-- built again. They stay within the SQL that SQLite and Cloudflare D1 both speak: no triggers, no
-- temporary tables, no user_version.
-- engine: any
-- data: none
--
-- Every time is UTC text `YYYY-MM-DDTHH:MM:SS.ffffffZ`, so that text order is time order.

CREATE TABLE schema_migrations (
    name TEXT PRIMARY KEY,              -- file name, such as 0001_base.sql
    sha256 TEXT NOT NULL,               -- hex, of the file's text with LF line ends
    applied_at TEXT NOT NULL
) STRICT;

CREATE TABLE store_meta (
    key TEXT PRIMARY KEY,               -- store_id; later the embedding model and its width
    value TEXT NOT NULL
) STRICT;

CREATE TABLE scopes (
    scope TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    alias_of TEXT REFERENCES scopes (scope) -- flat: never names a scope that is an alias itself
) STRICT;

CREATE INDEX scopes_by_alias ON scopes (alias_of) WHERE alias_of IS NOT NULL;

CREATE TABLE memory_versions (
    seq INTEGER PRIMARY KEY,            -- row number the derived tables use; never leaves the store
    id TEXT NOT NULL UNIQUE,            -- UUIDv7 of this version
    memory_id TEXT NOT NULL,            -- the same for a memory's whole life, renames included
    version INTEGER NOT NULL CHECK (version > 0),
    scope TEXT NOT NULL REFERENCES scopes (scope),
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    author TEXT NOT NULL,               -- agent@host
    created_at TEXT NOT NULL,           -- strictly increasing over the whole store
    superseded_by TEXT,                 -- id of the next version's row; NULL on the newest
    deleted_at TEXT,                    -- set when this version was forgotten
    deleted_by TEXT,                    -- agent@host
    expires_at TEXT,                    -- leaves index and recall from then on
    content_sha TEXT NOT NULL,          -- sha256 hex of what a person would call the content
    description TEXT NOT NULL,          -- the long texts come last: what stands behind a body of
    meta TEXT NOT NULL,                 -- several pages is dear to read. meta is a JSON object:
    body TEXT NOT NULL,                 -- unknown frontmatter keys, provenance
    UNIQUE (memory_id, version)
) STRICT;

-- Second guard behind heads: one live row a name, one newest row a memory.
CREATE UNIQUE INDEX memory_live ON memory_versions (scope, name)
    WHERE superseded_by IS NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX memory_newest ON memory_versions (memory_id) WHERE superseded_by IS NULL;
CREATE INDEX memory_names ON memory_versions (name)
    WHERE superseded_by IS NULL AND deleted_at IS NULL;
CREATE INDEX memory_by_name ON memory_versions (scope, name);
CREATE INDEX memory_created ON memory_versions (created_at);
CREATE INDEX memory_deleted ON memory_versions (deleted_at) WHERE deleted_at IS NOT NULL;

-- The one row an append must win. A name a memory has left keeps leading to it, until a new memory
-- takes the name.
CREATE TABLE heads (
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    id TEXT NOT NULL,                   -- row this name led to when it was last won
    prev TEXT,                          -- row it led to before
    version INTEGER NOT NULL,
    PRIMARY KEY (scope, name)
) STRICT;

CREATE INDEX heads_by_memory ON heads (memory_id);

CREATE TABLE links (
    from_memory_id TEXT NOT NULL,
    type TEXT NOT NULL,                 -- related-to, builds-on, contradicts, child-of, supersedes, mentions
    to_memory_id TEXT,                  -- NULL while no live memory bears the target's name
    to_scope TEXT NOT NULL,
    to_name TEXT NOT NULL,              -- follows a bound target's renames
    origin TEXT NOT NULL,               -- authored, or body for a [[name]] in the text
    PRIMARY KEY (from_memory_id, type, to_scope, to_name)
) STRICT;

CREATE INDEX links_in ON links (to_memory_id, type) WHERE to_memory_id IS NOT NULL;
CREATE INDEX links_deferred ON links (to_scope, to_name) WHERE to_memory_id IS NULL;

-- Settles a commit whose answer was lost: the same request id again gives the same answer.
CREATE TABLE requests (
    request_id TEXT PRIMARY KEY,
    change_sha TEXT NOT NULL,           -- sha256 hex of what was asked, ids and author left out
    kind TEXT NOT NULL,
    version_id TEXT NOT NULL,           -- row the write made, or put a tombstone on
    settled_at TEXT NOT NULL
) STRICT;

CREATE INDEX requests_by_version ON requests (version_id);

CREATE TABLE reads (
    memory_id TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    last_read_at TEXT NOT NULL
) STRICT;

CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,        -- hex; the token itself is never stored
    host TEXT NOT NULL,                 -- whom it belongs to; becomes the author's host
    read_only INTEGER NOT NULL CHECK (read_only IN (0, 1)),
    created_at TEXT NOT NULL,
    last_used_at TEXT,
    revoked_at TEXT
) STRICT;

-- What an import has brought in, so that a second run changes only what changed at its source.
CREATE TABLE import_ledger (
    source TEXT NOT NULL,               -- kind of source, such as claude
    key TEXT NOT NULL,                  -- where the record stands in that source
    memory_id TEXT NOT NULL,
    version_id TEXT NOT NULL,           -- row the last import wrote
    source_sha TEXT NOT NULL,           -- sha256 hex of the record as read
    imported_at TEXT NOT NULL,
    PRIMARY KEY (source, key)
) STRICT;

CREATE INDEX import_ledger_by_memory ON import_ledger (memory_id);
