-- Why: word search over the live rows, derived from the base tables and rebuilt from them at any time.
-- Contentless, so that the prepared words are kept once and a deleted row's words really leave.
-- engine: sqlite
-- data: none

CREATE VIRTUAL TABLE memory_words USING fts5 (
    name,
    description,
    body,
    content = '',
    contentless_delete = 1,
    tokenize = 'porter unicode61'
);
