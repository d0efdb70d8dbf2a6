"""What every engine promises: its test module inherits the class and gives the fixtures."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

import pytest

from commonplace.domain.memory import Change
from commonplace.errors import (
    Cycle,
    Exists,
    Invalid,
    NotFound,
    SelfLink,
    VersionConflict,
)
from commonplace.store.base import Selection, Store
from store.build import FAR, START, HandClock, change, link, remember, seen

Open = Callable[[], Store]


def names(store: Store, selection: Selection | None = None) -> list[str]:
    """Return the names an index would show, sorted."""
    return sorted(row.name for row in store.index(selection or seen()))


def found(store: Store, match: str, selection: Selection | None = None) -> list[str]:
    """Return the names words find, best first."""
    hits = store.words(match, selection or seen(), 50)
    return [memory.version.name for memory in store.load([hit.id for hit in hits])]


class StoreContract:
    """Fixtures to give: `clock`, `open_store` (always the same place) and `store`."""

    # --- the life of one memory

    def test_a_memory_reads_back_as_it_was_written(self, store: Store) -> None:
        body = "# Über\r\n\ttabs, \u200d joiners, trailing blanks  \n"
        written = store.write(
            remember(
                "build-cache",
                "project:github.com/acme/app",
                type="feedback",
                description="keep — it",
                body=body,
                pinned=True,
                expires_at="2027-01-31",
                meta={"source": {"tool": "x"}, "ü": 1},
            )
        )
        memory = store.get("project:github.com/acme/app", "build-cache")
        assert memory.version == written.version
        assert memory.version.body == body
        assert (memory.versions, memory.first_created_at) == (1, memory.version.created_at)
        assert memory.version.meta == {"source": {"tool": "x"}, "ü": 1}

    def test_a_second_remember_of_a_live_name_is_refused(self, store: Store) -> None:
        store.write(remember("a"))
        with pytest.raises(Exists):
            store.write(remember("a"))
        assert store.get("global", "a").versions == 1

    def test_the_same_name_may_live_in_two_scopes(self, store: Store) -> None:
        store.write(remember("a"))
        store.write(remember("a", "host:laptop"))
        assert store.scopes_of("a") == ("global", "host:laptop")

    def test_update_keeps_what_it_does_not_name(self, store: Store) -> None:
        store.write(remember("b"))
        store.write(remember("a", body="old", pinned=True, links=(link("builds-on", "b"),)))
        store.write(change("update", "a", body="new"))
        memory = store.get("global", "a")
        assert (memory.version.version, memory.version.body) == (2, "new")
        assert (memory.version.description, memory.version.pinned) == ("a", True)
        assert [row.name for row in memory.links_out] == ["b"]

    def test_older_versions_stay_and_point_to_the_next(self, store: Store) -> None:
        store.write(remember("a", body="one"))
        store.write(change("update", "a", body="two"))
        first, second = store.history("global", "a")
        assert (first.body, first.superseded_by, second.superseded_by) == ("one", second.id, None)
        assert store.get("global", "a", 1).version.body == "one"
        with pytest.raises(NotFound, match="no version 7"):
            store.get("global", "a", 7)

    def test_an_update_with_a_passed_version_conflicts_and_shows_the_current_one(
        self, store: Store
    ) -> None:
        store.write(remember("a", body="one"))
        store.write(change("update", "a", body="two", expected_version=1))
        with pytest.raises(VersionConflict) as caught:
            store.write(change("update", "a", body="three", expected_version=1))
        current = caught.value.details["current"]
        assert isinstance(current, dict)
        assert (current["version"], current["body"]) == (2, "two")
        assert store.get("global", "a").version.body == "two"

    def test_what_is_not_there_is_refused_with_the_nearest_names(self, store: Store) -> None:
        store.write(remember("build-cache-path"))
        for call in (
            lambda: store.write(change("update", "build-cache-paht", body="x")),
            lambda: store.write(change("forget", "build-cache-paht")),
            lambda: store.get("global", "build-cache-paht"),
            lambda: store.history("global", "build-cache-paht"),
        ):
            with pytest.raises(NotFound) as caught:
                call()
            assert caught.value.details["nearest"] == ["build-cache-path"]

    def test_forget_hides_and_keeps_and_restore_brings_back(self, store: Store) -> None:
        store.write(remember("a", body="walnut"))
        told = store.write(change("forget", "a", author="me@there"))
        assert told.version.deleted_by == "me@there"
        assert (names(store), found(store, "walnut"), store.scopes_of("a")) == ([], [], ())
        assert store.get("global", "a").version.deleted_at == told.version.deleted_at
        with pytest.raises(NotFound):
            store.write(change("update", "a", body="x"))
        back = store.write(change("restore", "a"))
        assert (back.version.version, back.version.body) == (2, "walnut")
        assert (names(store), found(store, "walnut")) == (["a"], ["a"])

    def test_restore_of_an_older_version_is_a_new_version(self, store: Store) -> None:
        for step in (remember("a", body="one"), change("update", "a", body="two")):
            store.write(step)
        with pytest.raises(Exists):
            store.write(change("restore", "a"))
        back = store.write(change("restore", "a", version=1))
        assert (back.version.version, back.version.body) == (3, "one")
        with pytest.raises(NotFound):
            store.write(change("restore", "a", version=9))

    def test_remember_after_forget_goes_on_with_the_same_memory(self, store: Store) -> None:
        first = store.write(remember("a", body="old", links=(link("related-to", "b"),)))
        store.write(change("forget", "a"))
        again = store.write(remember("a", body="new"))
        assert again.version.memory_id == first.version.memory_id
        assert again.version.version == 2
        assert store.get("global", "a").links_out == ()

    def test_an_expired_memory_leaves_index_and_words_and_stays_readable(
        self, store: Store
    ) -> None:
        store.write(remember("a", body="walnut", expires_at="2026-03-01T12:00:01.000000Z"))
        later = "2026-03-01T12:00:01.000001Z"
        assert names(store, seen()) == ["a"]
        assert (names(store, seen(later)), found(store, "walnut", seen(later))) == ([], [])
        assert names(store, seen(later, expired=True)) == ["a"]
        assert store.get("global", "a").version.body == "walnut"
        store.write(change("update", "a", expires_at=""))
        assert names(store, seen(FAR)) == ["a"]

    # --- names

    def test_a_renamed_memory_keeps_its_life_and_its_old_name_says_where_it_went(
        self, store: Store
    ) -> None:
        first = store.write(remember("a", body="walnut"))
        moved = store.write(change("rename", "a", to_scope="host:laptop", to_name="b"))
        assert moved.version.memory_id == first.version.memory_id
        assert (found(store, "walnut"), moved.version.version) == (["b"], 2)
        for call in (
            lambda: store.get("global", "a"),
            lambda: store.write(change("update", "a", body="x")),
        ):
            with pytest.raises(NotFound, match="renamed to host:laptop b") as caught:
                call()
            assert caught.value.details["renamed_to"] == {"scope": "host:laptop", "name": "b"}
        assert [version.name for version in store.history("global", "a")] == ["a", "b"]

    def test_a_memory_can_be_renamed_there_and_back(self, store: Store) -> None:
        store.write(remember("a"))
        store.write(change("rename", "a", to_name="b"))
        store.write(change("update", "b", body="x"))
        back = store.write(change("rename", "b", to_name="a"))
        assert (back.version.version, back.version.body) == (4, "x")
        store.write(change("update", "a", body="y"))
        with pytest.raises(NotFound, match="renamed to global a"):
            store.get("global", "b")

    def test_a_left_name_can_begin_another_memory(self, store: Store) -> None:
        first = store.write(remember("a"))
        store.write(change("rename", "a", to_name="b"))
        other = store.write(remember("a"))
        assert other.version.memory_id != first.version.memory_id
        assert other.version.version == 1
        assert store.write(change("update", "a", body="x")).version.version == 2
        assert names(store) == ["a", "b"]
        assert len(store.history("global", "a")) == 4

    def test_a_taken_name_refuses_a_rename_and_a_forgotten_one_does_not(self, store: Store) -> None:
        store.write(remember("a"))
        store.write(remember("b"))
        with pytest.raises(Exists):
            store.write(change("rename", "a", to_name="b"))
        store.write(change("forget", "b"))
        assert store.write(change("rename", "a", to_name="b")).version.version == 2
        assert names(store) == ["b"]
        assert store.write(change("update", "b", body="x")).version.version == 3

    # --- request ids

    def test_a_request_id_sent_again_repeats_the_answer_and_writes_nothing(
        self, store: Store
    ) -> None:
        first = store.write(remember("a", request_id="r1"))
        store.write(change("update", "a", body="later"))
        again = store.write(remember("a", request_id="r1"))
        assert (again.replayed, again.version) == (True, first.version)
        gone = store.write(change("forget", "a", request_id="r2"))
        store.write(change("restore", "a"))
        twice = store.write(change("forget", "a", request_id="r2"))
        assert (twice.replayed, twice.kind, twice.version) == (True, "forget", gone.version)
        assert names(store) == ["a"]

    def test_a_request_id_of_another_change_is_refused(self, store: Store) -> None:
        store.write(remember("a", request_id="r1"))
        with pytest.raises(Invalid, match="another change"):
            store.write(remember("b", request_id="r1"))
        assert names(store) == ["a"]

    def test_a_refused_request_id_is_not_settled(self, store: Store) -> None:
        with pytest.raises(NotFound):
            store.write(change("update", "a", body="x", request_id="r1"))
        store.write(remember("a"))
        assert not store.write(change("update", "a", body="x", request_id="r1")).replayed

    # --- links

    def test_a_link_waits_for_its_target_and_binds_when_it_appears(self, store: Store) -> None:
        store.write(
            remember("a", links=(link("builds-on", "b"), link("related-to", "c", "host:x")))
        )
        waiting = store.get("global", "a").links_out
        assert [(row.scope, row.name, row.memory_id) for row in waiting] == [
            ("global", "b", None),
            ("host:x", "c", None),
        ]
        target = store.write(remember("b", description="the base")).version
        bound = store.get("global", "a").links_out[0]
        assert (bound.memory_id, bound.description, bound.live) == (
            target.memory_id,
            "the base",
            True,
        )
        back = store.get("global", "b").links_in
        assert [(row.type, row.name, row.live) for row in back] == [("builds-on", "a", True)]

    def test_a_link_lets_go_of_a_forgotten_target_and_takes_it_back(self, store: Store) -> None:
        store.write(remember("b"))
        store.write(remember("a", links=(link("builds-on", "b"),)))
        store.write(change("forget", "b"))
        assert store.get("global", "a").links_out[0].memory_id is None
        store.write(change("restore", "b"))
        assert store.get("global", "a").links_out[0].live

    def test_a_link_follows_its_target_to_a_new_name(self, store: Store) -> None:
        store.write(remember("b"))
        store.write(remember("a", links=(link("builds-on", "b"),)))
        store.write(change("rename", "b", to_name="c"))
        assert [(row.name, row.live) for row in store.get("global", "a").links_out] == [("c", True)]
        store.write(change("forget", "c"))
        store.write(change("restore", "c"))
        assert [(row.name, row.live) for row in store.get("global", "a").links_out] == [("c", True)]
        store.write(remember("d", links=(link("builds-on", "b"),)))
        assert store.get("global", "d").links_out[0].name == "c"

    def test_a_rename_into_an_awaited_name_binds(self, store: Store) -> None:
        store.write(remember("a", links=(link("builds-on", "c"), link("builds-on", "b"))))
        store.write(remember("b"))
        store.write(change("rename", "b", to_name="c"))
        assert [(row.name, row.live) for row in store.get("global", "a").links_out] == [("c", True)]

    def test_links_given_replace_the_links_there(self, store: Store) -> None:
        store.write(remember("a", links=(link("builds-on", "b"), link("related-to", "c"))))
        store.write(change("update", "a", links=(link("related-to", "d"),)))
        assert [row.name for row in store.get("global", "a").links_out] == ["d"]
        store.write(change("update", "a", links=()))
        assert store.get("global", "a").links_out == ()

    def test_a_link_to_itself_is_refused_whole(self, store: Store) -> None:
        with pytest.raises(SelfLink):
            store.write(remember("a", links=(link("related-to", "a"),)))
        assert names(store) == []
        store.write(remember("a"))
        store.write(change("rename", "a", to_name="b"))
        with pytest.raises(SelfLink):
            store.write(change("update", "b", links=(link("related-to", "a"),)))

    def test_a_memory_renamed_to_the_name_it_links_to_is_not_linked_to_itself(
        self, store: Store
    ) -> None:
        store.write(remember("a", links=(link("related-to", "b"),)))
        store.write(change("rename", "a", to_name="b"))
        assert store.get("global", "b").links_in == ()

    def test_a_superseded_memory_is_hidden_until_its_superseder_is_forgotten(
        self, store: Store
    ) -> None:
        store.write(remember("old", body="walnut"))
        store.write(remember("new", body="walnut", links=(link("supersedes", "old"),)))
        assert (names(store), found(store, "walnut")) == (["new"], ["new"])
        assert names(store, seen(superseded=True)) == ["new", "old"]
        assert store.get("global", "old").superseded_by == (("global", "new"),)
        store.write(change("forget", "new"))
        assert (names(store), found(store, "walnut")) == (["old"], ["old"])
        assert store.get("global", "old").superseded_by == ()
        store.write(change("restore", "new"))
        assert names(store) == ["new"]

    def test_an_update_loses_neither_supersedes_nor_inbound_links(self, store: Store) -> None:
        store.write(remember("old"))
        store.write(remember("new", links=(link("supersedes", "old"),)))
        store.write(remember("fan", links=(link("related-to", "new"),)))
        store.write(change("update", "new", body="x"))
        store.write(change("update", "old", body="x"))
        assert names(store) == ["fan", "new"]
        assert [row.name for row in store.get("global", "new").links_in] == ["fan"]

    def test_of_a_chain_of_supersedes_only_the_newest_shows(self, store: Store) -> None:
        store.write(remember("one"))
        store.write(remember("two", links=(link("supersedes", "one"),)))
        store.write(remember("three", links=(link("supersedes", "two"),)))
        assert names(store) == ["three"]

    def test_a_supersedes_cycle_is_refused_and_hides_nobody(self, store: Store) -> None:
        store.write(remember("a"))
        store.write(remember("b", links=(link("supersedes", "a"),)))
        store.write(remember("c", links=(link("supersedes", "b"),)))
        with pytest.raises(Cycle):
            store.write(change("update", "a", links=(link("supersedes", "c"),)))
        assert names(store) == ["c"]

    def test_a_cycle_closed_by_a_link_that_waited_is_refused_too(self, store: Store) -> None:
        store.write(remember("a", links=(link("supersedes", "b"),)))
        with pytest.raises(Cycle):
            store.write(remember("b", links=(link("supersedes", "a"),)))
        assert names(store) == ["a"]
        store.write(remember("b"))
        assert names(store) == ["a"]

    def test_a_restore_that_would_close_a_cycle_is_refused(self, store: Store) -> None:
        store.write(remember("a"))
        store.write(remember("b", links=(link("supersedes", "a"),)))
        store.write(change("forget", "b"))
        store.write(change("update", "a", links=(link("supersedes", "b"),)))
        with pytest.raises(Cycle):
            store.write(change("restore", "b"))
        assert names(store) == ["a"]

    # --- finding

    def test_words_see_the_newest_text_only(self, store: Store) -> None:
        store.write(remember("a", body="walnut"))
        store.write(change("update", "a", body="hazel"))
        assert (found(store, "walnut"), found(store, "hazel")) == ([], ["a"])

    def test_words_weigh_name_over_description_over_body(self, store: Store) -> None:
        store.write(remember("in-body", description="plain", body="walnut"))
        store.write(remember("in-line", description="walnut", body="plain"))
        store.write(remember("walnut", description="plain", body="plain"))
        for number in range(9):
            store.write(remember(f"filler-{number}", description="plain", body="plain"))
        hits = store.words("walnut", seen(), 9)
        assert found(store, "walnut") == ["walnut", "in-line", "in-body"]
        assert all(hit.bm25 > 0 for hit in hits)

    def test_words_filter_before_they_limit(self, store: Store) -> None:
        for number in range(5):
            store.write(remember(f"noise-{number}", "host:x", body="walnut walnut walnut"))
        store.write(remember("a", type="user", body="one walnut among many other words"))
        assert len(store.words("walnut", seen(scopes=("global",)), 1)) == 1
        assert found(store, "walnut", seen(types=("user",))) == ["a"]
        assert found(store, "walnut", seen(scopes=())) == []

    @pytest.mark.parametrize(
        "match",
        [
            '"x',
            "NEAR(",
            "***",
            "-x",
            "nope:x",
            "a AND",
            "^",
            "(",
            "*reads",
            "a\x00b",
            "'",
            "{",
            "AND",
        ],
    )
    def test_a_bad_expression_is_refused_or_finds_nothing(self, store: Store, match: str) -> None:
        store.write(remember("a"))
        with contextlib.suppress(Invalid):
            assert store.words(match, seen(), 5) in ((), store.words("a", seen(), 5))

    def test_a_blank_expression_finds_nothing(self, store: Store) -> None:
        store.write(remember("a"))
        assert store.words("", seen(), 5) == store.words(" \n", seen(), 5) == ()

    def test_recent_gives_the_latest_written_first(self, store: Store) -> None:
        for name in ("a", "b", "c"):
            store.write(remember(name))
        store.write(change("update", "a", body="x"))
        ids = store.recent(seen(), 2)
        assert [memory.version.name for memory in store.load(ids)] == ["a", "c"]

    def test_load_keeps_the_order_and_leaves_unknown_ids_out(self, store: Store) -> None:
        first = store.write(remember("a")).version.id
        second = store.write(remember("b")).version.id
        loaded = store.load([second, "nobody", first])
        assert [memory.version.id for memory in loaded] == [second, first]
        assert store.load([]) == ()

    def test_changes_tell_every_write_and_forget_once(self, store: Store) -> None:
        store.write(remember("a"))
        store.write(remember("b"))
        seen_so_far = store.changes("", 10)
        assert [version.name for version in seen_so_far] == ["a", "b"]
        since = seen_so_far[-1].created_at
        assert store.changes(since, 10) == ()
        store.write(change("forget", "a"))
        store.write(change("update", "b", body="x"))
        later = store.changes(since, 10)
        assert [(version.name, version.deleted_at is None) for version in later] == [
            ("a", False),
            ("b", True),
        ]

    def test_reads_move_the_touched_time_and_end_never_read(
        self, store: Store, clock: HandClock
    ) -> None:
        version = store.write(remember("a")).version
        store.write(remember("b"))
        clock.at = START.replace(hour=20)
        store.note_reads([version.id, version.id, "nobody"])
        assert [row.name for row in store.never_read(10)] == ["b"]
        row = next(row for row in store.index(seen()) if row.name == "a")
        assert (row.updated_at, row.touched_at > row.updated_at) == (version.created_at, True)

    def test_counts_and_scopes_add_up(self, store: Store) -> None:
        store.write(remember("a", type="user"))
        store.write(remember("b", "host:x", links=(link("supersedes", "a", "global"),)))
        store.write(remember("c", "host:x", expires_at="2026-03-01"))
        store.write(change("forget", "c", "host:x"))
        store.write(remember("d", expires_at="2026-03-01"))
        counts = store.counts(seen().now)
        assert (counts.memories, counts.versions, counts.forgotten) == (3, 4, 1)
        assert (counts.superseded, counts.expired, counts.links) == (1, 1, 1)
        assert counts.by_type == {"reference": 2, "user": 1}
        assert counts.by_scope == {"global": 2, "host:x": 1}
        assert counts.size_bytes > 0
        told = {row.scope: (row.live, row.forgotten) for row in store.scopes()}
        assert told == {"global": (2, 0), "host:x": (1, 1)}

    # --- scopes joined

    def test_an_alias_moves_everything_and_answers_for_the_old_scope(self, store: Store) -> None:
        old, new = "project:x/old", "project:x/new"
        store.write(remember("a", old, body="walnut"))
        store.write(remember("gone", old))
        store.write(change("forget", "gone", old))
        store.write(remember("here", new))
        plan = store.alias(old, new, author="me@here", dry_run=True)
        assert (plan.applied, plan.moved, plan.renamed) == (
            False,
            (("a", "a"), ("gone", "gone")),
            (),
        )
        assert store.get(old, "a").version.scope == old
        assert store.alias(old, new, author="me@here", dry_run=False).applied
        assert store.get(old, "a").version == store.get(new, "a").version
        assert store.get(old, "a").version.author == "me@here"
        assert found(store, "walnut", seen(scopes=(old,))) == ["a"]
        assert store.write(change("update", "a", old, body="hazel")).version.scope == new
        assert store.write(remember("b", old)).version.scope == new
        assert store.write(change("restore", "gone", old)).version.scope == new
        assert [version.scope for version in store.history(old, "a")] == [old, new, new]
        rows = {row.scope: (row.alias_of, row.live) for row in store.scopes()}
        assert rows[old] == (new, 0)
        assert rows[new] == (None, 4)

    def test_names_taken_in_the_new_scope_get_a_number(self, store: Store) -> None:
        old, new = "project:x/old", "project:x/new"
        for scope in (old, new):
            store.write(remember("a", scope))
        store.write(remember("a-2", new))
        store.write(remember("a-3", new))
        store.write(change("forget", "a-3", new))
        store.write(remember("fan", new, links=(link("builds-on", "a", old),)))
        plan = store.alias(old, new, author="me@here", dry_run=False)
        assert plan.renamed == (("a", "a-4"),)
        assert [row.name for row in store.get(new, "fan").links_out] == ["a-4"]
        assert store.write(change("restore", "a-3", new)).version.version == 2

    def test_aliases_are_followed_to_the_end_and_never_in_a_circle(self, store: Store) -> None:
        one, two, three = "project:x/1", "project:x/2", "project:x/3"
        store.write(remember("a", one))
        store.alias(one, two, author="me@here", dry_run=False)
        store.alias(two, three, author="me@here", dry_run=False)
        assert store.get(one, "a").version.scope == three
        assert {row.scope: row.alias_of for row in store.scopes()} == {
            one: three,
            two: three,
            three: None,
        }
        with pytest.raises(Cycle):
            store.alias(three, one, author="me@here", dry_run=False)
        again = store.alias(one, three, author="me@here", dry_run=False)
        assert again.moved == ()
        for old, new in (("global", one), (one, one), (one, "host:elsewhere")):
            with pytest.raises(Invalid):
                store.alias(old, new, author="me@here", dry_run=True)

    def test_links_into_an_aliased_scope_stay_and_those_that_waited_bind(
        self, store: Store
    ) -> None:
        old, new = "project:x/old", "project:x/new"
        store.write(remember("a", old))
        store.write(remember("b", new))
        store.write(
            remember("fan", links=(link("builds-on", "a", old), link("builds-on", "b", old)))
        )
        store.alias(old, new, author="me@here", dry_run=False)
        rows = store.get("global", "fan").links_out
        assert [(row.scope, row.name, row.live) for row in rows] == [
            (new, "a", True),
            (new, "b", True),
        ]

    # --- time and racing

    def test_stamps_go_forward_when_the_clock_goes_back(
        self, store: Store, clock: HandClock, open_store: Open
    ) -> None:
        store.write(remember("a"))
        clock.at = START.replace(year=2020)
        store.write(change("update", "a", body="x"))
        store.close()
        again = open_store()
        again.write(change("update", "a", body="y"))
        stamps = [version.created_at for version in again.history("global", "a")]
        assert stamps == sorted(set(stamps))
        assert stamps[0] > "2026"

    @pytest.mark.heavy
    @pytest.mark.parametrize("checked", [False, True])
    def test_racing_updates_lose_none_and_never_fork(self, store: Store, checked: bool) -> None:
        store.write(remember("hot"))
        accepted: list[int] = []
        failures: list[BaseException] = []

        def race(number: int) -> None:
            try:
                bodies = [f"{number}.{turn}" for turn in range(20)]
                accepted.extend(_update(store, body, checked=checked) for body in bodies)
            except BaseException as error:  # noqa: BLE001 - told by the assertion below
                failures.append(error)

        threads = [threading.Thread(target=race, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        assert failures == []
        assert sorted(accepted) == list(range(2, 162))
        history = store.history("global", "hot")
        assert [version.version for version in history] == list(range(1, 162))
        assert sum(version.superseded_by is None for version in history) == 1
        assert len({version.body for version in history}) == 161

    def test_health_tells_who_and_how(self, store: Store) -> None:
        told = store.health()
        assert told["store_id"]
        assert (told["readable"], told["writable"]) == (True, True)

    def test_what_was_written_is_there_after_a_restart(
        self, store: Store, open_store: Open
    ) -> None:
        store.write(remember("a", body="walnut"))
        told = store.health()["store_id"]
        store.close()
        store.close()
        again = open_store()
        assert (found(again, "walnut"), again.health()["store_id"]) == (["a"], told)


def _update(store: Store, body: str, *, checked: bool) -> int:
    while True:
        expected = store.get("global", "hot").version.version if checked else None
        step: Change = change("update", "hot", body=body, expected_version=expected)
        try:
            return store.write(step).version.version
        except VersionConflict:
            continue
