"""Text into words, questions into expressions, bodies into snippets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.search.query import MAX_TERMS, expression, terms
from commonplace.search.snippet import snippet
from commonplace.search.text import prepare


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("getUserById", "get user by id getuserbyid"),
        ("snake_case", "snake case snakecase"),
        ("kebab-case", "kebab case kebabcase"),
        ("HTTPServer", "http server httpserver"),
        ("utf8", "utf 8 utf8"),
        ("Straße \uff21\uff22\uff23", "strasse abc"),
        ('NEAR(x) "y" -z', "near x y z"),
        ("", ""),
    ],
)
def test_words_are_split_kept_whole_and_folded(text: str, words: str) -> None:
    assert prepare(text) == words


@given(st.text())
def test_prepared_text_is_words_and_blanks_and_stays_as_it_is(text: str) -> None:
    once = prepare(text)
    assert all(word.isalnum() or not word.isascii() for word in once.split())
    assert not set(once) & set("\"'()*:^-+{}\x00")


@given(st.text())
def test_an_expression_is_quoted_words_alone(query: str) -> None:
    words = terms(query)
    assert len(words) <= MAX_TERMS
    assert expression(words).count('"') == 2 * len(words)


def test_stop_words_go_unless_nothing_else_is_left() -> None:
    assert terms("what is the port") == ("port",)
    assert terms("to be or not to be") == ("to", "be", "or", "not")
    assert terms("  ?! ") == ()


@given(st.text(max_size=2000), st.lists(st.text(min_size=1, max_size=9), max_size=5))
def test_a_snippet_is_one_bounded_line(text: str, words: list[str]) -> None:
    cut = snippet(text, words, 80)
    assert len(cut) <= 80
    assert "\n" not in cut


def test_a_snippet_without_a_hit_is_the_beginning() -> None:
    assert snippet("first words of it", ["zebra"], 80) == "first words of it"
