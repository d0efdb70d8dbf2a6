"""How common words are: what tells a rare word of a question from one that is everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from commonplace.store.base import Frequencies
from commonplace.store.connection import Database

# As migrations/0002 declares the table's tokenizer.
TOKENIZER = ("unicode61", "remove_diacritics", "0", "categories", "L* N* M*", "tokenchars", "_")
_STEMMER = "porter"
_FOR_A_QUERY = 1  # FTS5_TOKENIZE_QUERY
_TOTAL = "SELECT count(*) FROM memory_words_docsize"
_OF_WORD = "SELECT doc FROM memory_word_counts WHERE term = ?"
_OF_PHRASE = "SELECT count(*) FROM memory_words WHERE memory_words MATCH ?"


def frequencies(db: Database, phrases: Iterable[str]) -> Frequencies:
    """Return how many rows there are, and how many hold each phrase of prepared words."""
    stemmer = db.fts5_tokenizer(_STEMMER, list(TOKENIZER))
    counts: dict[str, int] = {}
    for phrase in phrases:
        told = stemmer(phrase.encode(), _FOR_A_QUERY, None, include_offsets=False)
        stems = cast("list[tuple[str, ...]]", told)
        if len(stems) == 1:
            counts[phrase] = db.execute(_OF_WORD, stems[0]).get or 0
        else:
            quoted = phrase.replace('"', '""')
            counts[phrase] = db.execute(_OF_PHRASE, (f'"{quoted}"',)).get
    return Frequencies(total=db.execute(_TOTAL).get, counts=counts)
