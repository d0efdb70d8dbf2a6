from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.credentials import MUST_CATCH, MUST_SURVIVE, noise
from support.instructions import FILES

from commonplace.domain.secrets import scan
from commonplace.domain.secrets.rules import MARKED, NEAR


@pytest.mark.parametrize("name", MUST_CATCH)
def test_what_is_a_credential_is_found_and_taken_out_whole(name: str) -> None:
    text, secret = MUST_CATCH[name]
    clean, rules = scan.redact(text)
    assert rules, text
    assert clean != text
    assert len(secret) < 3 or secret not in clean, clean


@pytest.mark.parametrize("name", MUST_CATCH)
def test_a_redacted_text_is_clean(name: str) -> None:
    clean, _ = scan.redact(MUST_CATCH[name][0])
    assert scan.find(clean) == (), clean


@pytest.mark.parametrize("text", MUST_SURVIVE)
def test_what_only_talks_of_credentials_is_left_alone(text: str) -> None:
    assert scan.names(text) == ()


@pytest.mark.parametrize("name", FILES)
def test_ordinary_instruction_files_raise_no_alarm(name: str) -> None:
    assert scan.names(FILES[name]) == ()


def test_every_rule_compiles_and_its_words_are_lower_case() -> None:
    for rule in (*MARKED, *NEAR):
        re.compile(rule.pattern)
        assert rule.words
        assert all(word == word.lower() for word in rule.words), rule.name


def test_rule_names_are_unique() -> None:
    names = [rule.name for rule in (*MARKED, *NEAR)]
    assert len(set(names)) == len(names)


@given(st.text(max_size=300))
def test_redacting_keeps_all_that_is_no_hit(text: str) -> None:
    hits = scan.find(text)
    clean, rules = scan.redact(text)
    assert bool(hits) == bool(rules)
    if not hits:
        assert clean == text


@given(st.lists(st.sampled_from([text for text, _ in MUST_CATCH.values()]), max_size=4))
def test_several_credentials_in_one_text_are_all_taken_out(texts: list[str]) -> None:
    clean, _ = scan.redact("\n\n".join(texts))
    assert scan.find(clean) == ()


def test_a_hit_holds_places_and_the_rule_only() -> None:
    secret = "ghp_" + noise("x", 36)
    (hit,) = scan.find(f"a {secret} b")
    assert (hit.rule, hit.start, hit.end) == ("github-token", 2, 2 + len(secret))
    assert secret not in repr(hit)


EVIL = {
    "one letter": "a" * 16384,
    "names": "a_" * 8192,
    "words": "password " * 1820,
    "half passwords": "password: " * 1638,
    "schemes": "a://" * 4096,
    "userinfo": "http://a:" * 1820,
    "headers": ("-" * 5 + "BEGIN PRIVATE KEY" + "-" * 5) * 600,
    "services": "discord telegram twitter datadog " * 496,
    "tokens": "eyJaaaaaaaaaaaaaaaaaa." * 745,
    "dashes": "x-" * 8192,
    "spaces": "secret" + " " * 16378,
    "prefixes": "xoxb-sk-ant-gh" * 1170,
    "dots": "a." * 8192,
    "tildes": "aaa1Q~" * 2730,
}


@pytest.mark.parametrize("name", EVIL)
def test_no_text_keeps_the_search_busy(name: str) -> None:
    # A pattern that backtracks would not be done with ten times a body before the suite's limit.
    scan.find(EVIL[name] * 10)
