-- Why: word search over the live rows, derived from the base tables and rebuilt from them at any time.
-- The words are prepared before they come here (search/text.py): this table splits at blanks and stems,
-- keeps combining marks with their letters, and leaves accents as they were prepared.
-- Contentless, so that the prepared words are kept once and a deleted row's words really leave.
-- engine: sqlite
-- data: none

CREATE VIRTUAL TABLE memory_words USING fts5 (
    name,
    description,
    body,
    content = '',
    contentless_delete = 1,
    tokenize = "porter unicode61 remove_diacritics 0 categories 'L* N* M*' tokenchars '_'"
);

-- How many rows hold a stemmed word: tells the rare words of a question from the common ones.
CREATE VIRTUAL TABLE memory_word_counts USING fts5vocab (memory_words, row);
