"""What every engine promises about vectors, and about making them and the words again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from commonplace.domain.vector import Vector
from commonplace.errors import Invalid, Unavailable
from commonplace.store.base import Store
from commonplace.store.embeddings import Model, Rebuild, VectorHit, VectorRow
from store.build import change, link, remember, seen
from store.contract import found

WIDTH = 16
MODEL = Model("test-model", WIDTH, "sha of it")
SCOPES: tuple[tuple[str, ...] | None, ...] = (None, ("host:h1",), ("host:h0", "host:h2"))


def unit(seed: int, width: int = WIDTH) -> Vector:
    """Return always the same vector of unit length for a seed."""
    vector = np.random.default_rng(seed).standard_normal(width)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def embed_all(store: Store, seeds: dict[str, int] | None = None) -> None:
    """Give every version that waits a vector, by its name or one of its own."""
    store.adopt_model(MODEL)
    seeds = seeds or {}
    waiting = store.pending_vectors(1000)
    rows = [
        VectorRow(item.id, unit(seeds[item.name]))
        if item.name in seeds
        else VectorRow(item.id, unit(100 + at), unit(1000 + at))
        for at, item in enumerate(waiting)
    ]
    store.put_vectors(rows)
    assert store.pending_vectors(1) == ()


def warm(store: Store) -> None:
    """Read all vectors into memory."""
    while store.warm():
        pass


def hits(store: Store, seed: int, limit: int = 10, **fields: Any) -> list[VectorHit]:
    """Return what is closest to a seed's vector, rounded."""
    found = store.neighbours(unit(seed), seen(**fields), limit)
    return [VectorHit(hit.id, round(hit.description, 5), round(hit.body, 5)) for hit in found]


def near(store: Store, seed: int, limit: int = 10, **fields: Any) -> list[str]:
    """Return the names of what is closest, best first."""
    ids = [hit.id for hit in hits(store, seed, limit, **fields)]
    return [memory.version.name for memory in store.load(ids)]


class VectorsContract:
    """Fixtures to give: `open_store` (always the same place) and `store`."""

    # --- vectors

    def test_vectors_are_found_by_closeness_and_filtered_before_the_limit(
        self, store: Store
    ) -> None:
        for name, scope in (("a", "global"), ("b", "host:x"), ("c", "host:x")):
            store.write(remember(name, scope))
        embed_all(store, {"a": 0, "b": 1, "c": 2})
        assert near(store, 0)[0] == "a"
        assert sorted(near(store, 0)) == ["a", "b", "c"]
        assert near(store, 2, limit=1) == ["c"]
        assert near(store, 0, limit=1, scopes=("host:x",)) in (["b"], ["c"])
        assert near(store, 0, types=("user",)) == []

    def test_only_the_newest_living_version_is_found_by_its_vector(self, store: Store) -> None:
        for name in ("kept", "changed", "forgotten", "old", "gone"):
            store.write(remember(name))
        store.write(remember("new", links=(link("supersedes", "old"),)))
        embed_all(store)
        store.write(change("update", "changed", description="another text"))
        store.write(change("update", "kept", pinned=True))
        store.write(change("forget", "forgotten"))
        store.write(change("update", "gone", expires_at="2020-01-01T00:00:00.000000Z"))
        assert sorted(near(store, 0)) == ["kept", "new"]
        assert [item.name for item in store.pending_vectors(10)] == ["changed"]
        assert "old" in near(store, 0, superseded=True)
        assert "gone" in near(store, 0, expired=True)

    def test_searches_are_the_same_before_and_after_the_vectors_are_in_memory(
        self, store: Store
    ) -> None:
        for at in range(40):
            store.write(remember(f"m{at}", f"host:h{at % 3}", type=["user", "project"][at % 2]))
        embed_all(store)
        before = [hits(store, at, scopes=scopes) for at in range(6) for scopes in SCOPES]
        warm(store)
        store.write(remember("late"))
        embed_all(store, {"late": 3})
        store.write(change("forget", "late"))
        assert [hits(store, at, scopes=scopes) for at in range(6) for scopes in SCOPES] == before

    def test_what_is_written_after_the_vectors_are_in_memory_is_found_too(
        self, store: Store
    ) -> None:
        store.write(remember("a"))
        embed_all(store, {"a": 0})
        warm(store)
        store.write(remember("b"))
        embed_all(store, {"b": 1})
        assert near(store, 1, limit=1) == ["b"]
        store.write(change("rename", "b", to_scope="host:y"))
        assert near(store, 1, limit=1, scopes=("host:y",)) == ["b"]
        assert near(store, 1, scopes=("global",)) == ["a"]

    def test_a_vector_that_is_none_is_refused_and_nothing_of_its_call_kept(
        self, store: Store
    ) -> None:
        store.adopt_model(MODEL)
        store.write(remember("a"))
        store.write(remember("b"))
        good, bad = (item.id for item in store.pending_vectors(2))
        for wrong in (
            np.full(WIDTH, np.nan),
            np.zeros(WIDTH),
            np.ones(WIDTH),
            np.full(WIDTH, np.inf),
            unit(0, WIDTH + 1),
        ):
            vector = wrong.astype(np.float32)
            with pytest.raises(Invalid):
                store.put_vectors([VectorRow(good, unit(0)), VectorRow(bad, vector)])
            with pytest.raises(Invalid):
                store.neighbours(vector, seen(), 5)
            with pytest.raises(Invalid):
                store.cosines(vector, [good])
        assert store.vectors_state().held == 0

    def test_vectors_without_a_model_are_refused(self, store: Store) -> None:
        store.write(remember("a"))
        with pytest.raises(Unavailable):
            store.put_vectors([VectorRow(store.pending_vectors(1)[0].id, unit(0))])
        assert store.neighbours(unit(0), seen(), 5) == ()
        assert store.cosines(unit(0), ["x"]) == {}

    def test_vectors_of_a_version_that_is_no_longer_the_newest_are_not_kept(
        self, store: Store
    ) -> None:
        store.adopt_model(MODEL)
        store.write(remember("a"))
        late = store.pending_vectors(1)[0]
        store.write(change("update", "a", body="more"))
        assert store.put_vectors([VectorRow(late.id, unit(0))]) == 0

    def test_the_first_model_names_the_vectors_another_does_not_replace_it(
        self, store: Store
    ) -> None:
        assert store.vectors_state().model is None
        assert store.adopt_model(MODEL) == MODEL
        assert store.adopt_model(Model("other", 4, "sha")) == MODEL
        assert store.vectors_state().model == MODEL

    def test_the_cosines_of_both_texts_are_exact(self, store: Store) -> None:
        store.adopt_model(MODEL)
        store.write(remember("a"))
        store.write(remember("b"))
        newest, oldest = (item.id for item in store.pending_vectors(2))
        store.put_vectors([VectorRow(newest, unit(0), unit(1)), VectorRow(oldest, unit(2))])
        told = store.cosines(unit(1), [newest, oldest, "unknown"])
        assert set(told) == {newest, oldest}
        assert told[newest] == pytest.approx((float(unit(0) @ unit(1)), 1), abs=1e-6)
        assert told[oldest][0] == told[oldest][1]

    # --- made again

    def test_words_and_vectors_are_made_again_a_few_at_a_time(self, store: Store) -> None:
        for at in range(7):
            store.write(remember(f"m{at}", body="walnut"))
        store.write(change("forget", "m0"))
        store.write(change("update", "m1", body="hazel"))
        embed_all(store)
        store.rebuild(MODEL)
        assert store.rebuild_state() == Rebuild(running=True, total=6, words=0, vectors=0)
        steps = 0
        while store.rebuild_words(2):
            steps += 1
        assert steps >= 4
        assert sorted(found(store, "walnut")) == ["m2", "m3", "m4", "m5", "m6"]
        assert found(store, "hazel") == ["m1"]
        assert store.rebuild_state().words == 6
        remade = []
        while batch := store.stale_vectors(4):
            store.put_vectors([VectorRow(item.id, unit(5)) for item in batch])
            store.vectors_remade([item.id for item in batch])
            remade += [item.name for item in batch]
        store.vectors_remade([])
        assert sorted(remade) == ["m1", "m2", "m3", "m4", "m5", "m6"]
        assert store.rebuild_state() == Rebuild(running=False, total=6, words=6, vectors=6)

    def test_making_again_goes_on_where_it_stopped(self, open_store: Callable[[], Store]) -> None:
        store = open_store()
        for at in range(6):
            store.write(remember(f"m{at}", body="walnut"))
        embed_all(store)
        store.rebuild(MODEL)
        store.rebuild_words(2)
        batch = store.stale_vectors(2)
        store.vectors_remade([item.id for item in batch])
        store.close()
        again = open_store()
        assert again.rebuild_state() == Rebuild(running=True, total=6, words=2, vectors=2)
        again.write(remember("later", body="walnut"))
        again.rebuild(MODEL)
        assert again.rebuild_state() == Rebuild(running=True, total=6, words=2, vectors=2)
        assert [item.name for item in again.stale_vectors(9)] == ["m3", "m2", "m1", "m0"]
        while again.rebuild_words(2):
            pass
        assert len(found(again, "walnut")) == 7

    def test_another_model_takes_over_when_everything_is_made_again(self, store: Store) -> None:
        store.write(remember("a"))
        embed_all(store)
        warm(store)
        other = Model("other", 4, "another sha")
        store.rebuild(other)
        assert store.vectors_state().model == other
        assert store.neighbours(unit(0, 4), seen(), 5) == ()
        with pytest.raises(Invalid):
            store.neighbours(unit(0), seen(), 5)
        waiting = store.pending_vectors(5)
        assert [item.name for item in waiting] == ["a"]
        store.put_vectors([VectorRow(waiting[0].id, unit(0, 4))])
        assert len(store.neighbours(unit(0, 4), seen(), 5)) == 1
        warm(store)
        assert len(store.neighbours(unit(0, 4), seen(), 5)) == 1
