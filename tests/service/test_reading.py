"""Recall, history, lists and counts."""

from __future__ import annotations

from typing import Any

import pytest

QUERIES = [
    '"unbalanced',
    "NEAR(",
    "***",
    "-x",
    "name:x",
    "",
    "   ",
    "a AND",
    "\x00",
    "\ud800",
    "(" * 99,
]


@pytest.mark.parametrize("query", QUERIES)
def test_no_query_is_syntax(service: Any, query: str) -> None:
    service.save("x", description="unbalanced near name")
    assert service("recall", query=query) is not None


@pytest.mark.parametrize("query", ["", "  ", "***"])
def test_a_query_without_a_word_gives_the_newest_and_says_so(service: Any, query: str) -> None:
    service.save("older")
    service.save("newer")
    reply = service("recall", query=query)
    assert [match.name for match in reply.matches] == ["newer", "older"]
    assert "newest" in reply.notes[0]


def test_a_question_finds_the_memory_that_answers_it(service: Any) -> None:
    service.save("test-db-port", description="Tests need Postgres on 5433")
    service.save("editor", description="The user prefers vim")
    reply = service("recall", query="what is the port for the tests?")
    assert [match.name for match in reply.matches] == ["test-db-port"]
    assert reply.matches[0].score.total == 1.0


def test_an_identifier_is_found_by_its_parts_and_whole(service: Any) -> None:
    service.save("n", body="call getUserById, never fetch_user_row")
    for query in ("getUserById", "user by id", "fetch_user_row", "fetchuserrow"):
        assert service("recall", query=query).matches, query


def test_recall_keeps_to_scopes_and_types(service: Any) -> None:
    service.save("a", "global", description="shared word")
    service.save("b", "project:github.com/a/b", description="shared word", type="feedback")
    scoped = service("recall", query="shared", scopes=["project:github.com/a/b"])
    assert [match.name for match in scoped.matches] == ["b"]
    typed = service("recall", query="shared", types=["reference"])
    assert [match.name for match in typed.matches] == ["a"]
    assert service.refused("recall", query="x", types=["no"]).code == "INVALID"
    assert service.refused("recall", query="x", scopes=["no"]).code == "UNKNOWN_SCOPE_FORM"


@pytest.mark.parametrize("limit", [0, 51, -1])
def test_a_limit_out_of_range_is_refused_naming_the_range(service: Any, limit: int) -> None:
    assert "1 to 50" in service.refused("recall", query="x", limit=limit).message


def test_the_text_of_an_answer_is_bounded_and_bodies_go_to_the_best(service: Any) -> None:
    for number in range(50):
        service.save(f"n{number}", description="word " * 200, body="word filler " * 1000)
    reply = service("recall", query="word", limit=50)
    texts = [len(m.description) + len(m.snippet) + len(m.body or "") for m in reply.matches]
    assert len(texts) == 50
    assert sum(texts) <= 20_000
    few = service("recall", query="word", limit=3)
    assert few.matches[0].body is not None
    assert few.matches[2].body is None


def test_a_snippet_shows_the_hit(service: Any) -> None:
    service.save("n", body="filler text\n" * 300 + "the needle lies here\n" + "more\n" * 1000)
    snippet = service("recall", query="needles").matches[0].snippet
    assert "the needle lies here" in snippet
    assert "\n" not in snippet
    assert len(snippet) <= 240


def test_what_has_no_effect_yet_is_said(service: Any) -> None:
    notes = service("recall", query="x", threshold=0.5).notes
    assert len(notes) == 2
    assert "off: test" in notes[0]
    assert "threshold" in notes[1]
    assert service.refused("recall", query="x", threshold=2).code == "INVALID"
    assert service.refused("recall", query="x", expand="all").code == "INVALID"


def test_history_tells_what_made_each_version_and_what_it_changed(service: Any) -> None:
    service.save("n", body="one")
    service("update", name="n", body="two", pinned=True)
    service("rename", name="n", to_name="m")
    service("forget", name="m")
    service("restore", name="m")
    service("update", name="m", body="three")
    service("restore", name="m", version=1)
    versions = service("history", name="m").versions
    assert [item.action for item in versions] == [
        "created",
        "updated",
        "renamed",
        "restored",
        "updated",
        "restored",
    ]
    assert versions[1].changed == ("body", "pinned")
    assert "-one\n+two" in versions[1].diff
    assert versions[2].changed == ("name",)
    assert versions[2].deleted_at is not None


def test_history_finds_what_was_forgotten_without_a_scope(service: Any) -> None:
    service.save("n", "host:host-a")
    service("forget", name="n")
    assert service("history", name="n").scope == "host:host-a"


def test_list_goes_in_index_order_and_counts_all(service: Any) -> None:
    service.save("g")
    service.save("p", "project:github.com/a/b")
    service.save("h", "host:host-a", pinned=True)
    reply = service("list", limit=2)
    assert [line.name for line in reply.memories] == ["h", "p"]
    assert reply.total == 3


def test_scopes_and_stats_count(service: Any) -> None:
    service.save("a")
    service.save("b", "host:host-a")
    service("forget", name="b")
    service("get", name="a")
    rows = {row.scope: (row.memories, row.forgotten) for row in service("list_scopes").scopes}
    assert rows == {"global": (1, 0), "host:host-a": (0, 1)}
    stats = service("stats", never_read=True)
    assert (stats.memories, stats.forgotten, stats.server_version) == (1, 1, "1.2.3")
    assert stats.never_read == ()
    assert service("stats").never_read is None


def test_an_empty_filter_is_no_filter(service: Any) -> None:
    service.save("n", description="word")
    assert service("recall", query="word", scopes=[], types=[]).matches


@pytest.mark.parametrize("version", [0, -1, 2**63, 10**300])
def test_a_version_no_store_can_hold_is_refused(service: Any, version: int) -> None:
    service.save("n")
    for operation in ("get", "restore"):
        assert service.refused(operation, name="n", version=version).code == "INVALID"
