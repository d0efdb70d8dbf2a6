"""Text into words, questions into expressions, bodies into snippets."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.search.query import MAX_TERMS, expression, terms
from commonplace.search.snippet import snippet
from commonplace.search.text import WORD_MAX, prepare, units


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
        ("gen-itgc", "gen itgc genitgc"),
        ("GB/s", "gb s gbs"),
        ("C++ C# .NET g++", "cpp csharp net dotnet gpp"),
        ("don't", "don t dont"),
        ("don\u2019t", "don t dont"),
        ("ubuntu 20.04", "ubuntu 20 04 20_04"),
        ("1,000 127.0.0.1", "1000 127 0 1 127_0_0_1"),
        ("a.b@x.org", "a b ab x org xorg abxorg"),
        ("/etc/nginx/nginx.conf", "etc nginx conf nginxconf etcnginxnginxconf"),
        ("3f2a9bc41de07", "3f2a9bc41de07"),
        ("caf\u00e9 cafe\u0301", "cafe cafe"),
        ("\u0130stanbul \u0131 ISTANBUL", "istanbul i istanbul"),
        ("\u91cd\u8dd1gen-itgc\u540e", "\u91cd \u8dd1 gen itgc genitgc \u540e"),
        ("\uff8a\uff9d\uff76\uff78", "\u30cf \u30f3 \u30ab \u30af"),
        ("\uc0ac\uc6a9\uc790\ub97c", "\uc0ac \uc6a9 \uc790 \ub97c"),
        ("\u0e17\u0e35\u0e48\u0e19\u0e35\u0e48", "\u0e17\u0e35\u0e48 \u0e19\u0e35\u0e48"),
        ("\u0939\u093f\u0928\u094d\u0926\u0940", "\u0939\u093f\u0928\u094d\u0926\u0940"),
        ("\U0001f680", "_1f680"),
        ("\U0001f469\U0001f3fd\u200d\U0001f4bb", "_1f469 _1f4bb"),
        ("\U0001f1ef\U0001f1f5", "_1f1ef_1f1f5"),
        ("100% _ *** && $", "100"),
    ],
)
def test_words_are_split_kept_whole_and_folded(text: str, words: str) -> None:
    assert prepare(text) == words


@given(st.text())
def test_prepared_text_is_words_and_blanks(text: str) -> None:
    once = prepare(text)
    assert not any(word.isascii() and not word.replace("_", "").isalnum() for word in once.split())
    assert not set(once) & set("\"'()*:^-+{}\x00")
    assert all(len(word) <= WORD_MAX for word in once.split())


@given(st.text(), st.text())
def test_any_text_is_found_by_each_thing_it_names(before: str, text: str) -> None:
    kept = f" {prepare(before + ' ' + text)} "
    for unit in units(text):
        looked_for = terms(unit.surface)
        assert looked_for
        assert all(f" {term.phrase} " in kept for term in looked_for), unit


@given(st.text())
def test_composed_and_decomposed_text_give_the_same_words(text: str) -> None:
    assert prepare(unicodedata.normalize("NFD", text)) == prepare(
        unicodedata.normalize("NFC", text)
    )


@pytest.mark.parametrize(
    ("query", "phrases"),
    [
        ("\u90e8\u7f72", ["\u90e8 \u7f72"]),
        ("\u732b", ["\u732b"]),
        ("\u7528\u6237\u8eab\u4efd", ["\u7528 \u6237", "\u6237 \u8eab", "\u8eab \u4efd"]),
        ("docker\u306e\u524a\u9664", ["docker", "\u306e \u524a", "\u524a \u9664"]),
        ("\u306e docker", ["docker"]),
        ("why doesn't it", ["why", "doesn", "t", "doesnt", "it"]),
        ("retry OR", ["retry"]),
        ("NEAR(", ["near"]),
        ("name:x", ["name", "x"]),
        ("-pip", ["pip"]),
        ("100%", ["100"]),
        ("% _ ***", []),
        ("\x00 \t", []),
    ],
)
def test_a_question_becomes_things_to_look_for(query: str, phrases: list[str]) -> None:
    assert [term.phrase for term in terms(query)] == phrases


def test_a_question_of_twenty_thousand_words_is_bounded() -> None:
    assert len(terms(" ".join(f"word{at}" for at in range(20_000)))) == MAX_TERMS


@given(st.text())
def test_an_expression_is_quoted_words_alone(query: str) -> None:
    words = terms(query)
    assert len(words) <= MAX_TERMS
    assert expression(words).count('"') == 2 * len(words)


def test_stop_words_go_unless_nothing_else_is_left() -> None:
    assert [t.phrase for t in terms("what is the port")] == ["port"]
    assert [t.phrase for t in terms("to be or not to be")] == ["to", "be", "or", "not"]
    assert terms("  ?! ") == ()


@given(st.text(max_size=2000), st.lists(st.text(min_size=1, max_size=9), max_size=5))
def test_a_snippet_is_one_bounded_line(text: str, words: list[str]) -> None:
    cut = snippet(text, words, 80)
    assert len(cut) <= 80
    assert "\n" not in cut


def test_a_snippet_without_a_hit_is_the_beginning() -> None:
    assert snippet("first words of it", ["zebra"], 80) == "first words of it"
