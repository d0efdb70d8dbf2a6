-- Why: search by meaning. Two vectors a version, one of its name and description, one of its whole text;
-- derived from the base tables by the model that store_meta names (model_name, model_sha256,
-- model_width), and made again by reindex. Plain rows, read with sqlite-vec's distance functions: a
-- filter then applies before the ranking, and a deleted row's vectors really leave.
-- engine: sqlite
-- data: none

CREATE TABLE memory_vectors (
    seq INTEGER PRIMARY KEY,            -- memory_versions.seq
    description BLOB NOT NULL,          -- float32, little-endian, unit length
    body BLOB                           -- the same; NULL where the body adds no words of its own
) STRICT;

-- Which newest versions there are, without reading their texts: what still lacks vectors.
CREATE INDEX memory_newest_rows ON memory_versions (seq)
    WHERE superseded_by IS NULL AND deleted_at IS NULL;
