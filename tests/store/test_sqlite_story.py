"""Any story of changes leaves SQLite's store as a few lines of dictionaries say it must be."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.domain.memory import Link
from commonplace.errors import CommonplaceError
from commonplace.store.base import Store
from commonplace.store.sqlite import open_store
from store.build import HandClock, change, seen
from store.whole import assert_whole

pytestmark = pytest.mark.heavy

NAMES = ("ash", "birch", "cedar", "dogwood")

Step = tuple[str, str, str, bool]
steps = st.lists(
    st.tuples(
        st.sampled_from(["remember", "update", "forget", "restore", "rename"]),
        st.sampled_from(NAMES),
        st.sampled_from(NAMES),
        st.booleans(),
    ),
    min_size=1,
    max_size=25,
)


@dataclass
class Tale:
    """One memory: where it lives, how often it was written, whether it is forgotten."""

    name: str
    versions: int = 1
    forgotten: bool = False
    supersedes: str | None = None
    text: str = ""


@dataclass
class Model:
    """Which memory each name last led to."""

    leads: dict[str, Tale] = field(default_factory=dict[str, Tale])

    def play(self, step: Step, text: str) -> str:
        """Return the code of the refusal, or "" and be changed."""
        kind, name, other, linked = step
        tale = self.leads.get(name)
        if tale is not None and tale.name != name:
            if kind != "remember":
                return "NOT_FOUND"
            tale = None
        refusal = self._refusal(kind, tale, name, other)
        if refusal:
            return refusal
        return self._carry_out((kind, name, other, linked), tale, text)

    def _refusal(self, kind: str, tale: Tale | None, name: str, other: str) -> str:
        lives = tale is not None and not tale.forgotten
        if kind == "remember":
            return "EXISTS" if lives else ""
        if kind == "restore":
            return "NOT_FOUND" if tale is None else ("EXISTS" if lives else "")
        if not lives:
            return "NOT_FOUND"
        there = self.leads.get(other)
        taken = there is not None and there.name == other and not there.forgotten
        return "EXISTS" if kind == "rename" and (taken or name == other) else ""

    def _carry_out(self, step: Step, tale: Tale | None, text: str) -> str:
        kind, name, other, linked = step
        if kind == "forget":
            assert tale is not None
            tale.forgotten = True
            return ""
        if kind == "remember" and linked and name == other:
            return "SELF_LINK"
        if tale is None:
            tale = self.leads[name] = Tale(name, versions=0)
        tale.versions += 1
        tale.forgotten = False
        if kind in {"remember", "update"}:
            tale.text = text
        if kind == "rename":
            tale.name = other
            self.leads[other] = tale
        return ""

    def alive(self) -> dict[str, Tale]:
        """Return the memories a reader sees, by name."""
        return {name: tale for name, tale in self.leads.items() if self._is_at(name, tale)}

    @staticmethod
    def _is_at(name: str, tale: Tale) -> bool:
        return tale.name == name and not tale.forgotten


def tell(store: Store, step: Step, text: str) -> str:
    """Send one step; return the code of the refusal or ""."""
    kind, name, other, linked = step
    fields: dict[str, object] = {}
    if kind in {"remember", "update"}:
        fields = {"description": text, "body": text}
    if kind == "remember" and linked:
        fields["links"] = (Link("related-to", other),)
    if kind == "rename":
        fields["to_name"] = other
    try:
        store.write(change(kind, name, **fields))  # pyright: ignore[reportArgumentType]
    except CommonplaceError as error:
        return error.code
    return ""


@settings(max_examples=30, deadline=None)
@given(steps)
def test_any_story_ends_as_the_model_says(story: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        store = open_store(path, prepare=str.lower, clock=HandClock())
        model = Model()
        try:
            for number, step in enumerate(story):
                text = f"text{number}x"
                if step[0] == "remember" and step[3] and _leads_to_itself(model, step):
                    continue
                assert tell(store, step, text) == model.play(step, text)
            alive = model.alive()
            assert {row.name for row in store.index(seen())} == set(alive)
            for name, tale in alive.items():
                memory = store.get("global", name)
                assert (memory.version.version, memory.version.body) == (tale.versions, tale.text)
                assert len(store.words(tale.text, seen(), 9)) == 1
        finally:
            store.close()
        assert_whole(path)


SCOPES = ("global", "host:x", "project:x/1", "project:x/2")
REFUSALS = {
    "EXISTS",
    "NOT_FOUND",
    "VERSION_CONFLICT",
    "SELF_LINK",
    "CYCLE",
    "INVALID",
}

places = st.tuples(st.sampled_from(SCOPES), st.sampled_from(NAMES))
links = st.builds(
    lambda type_, place: Link(type_, place[1], place[0]),
    st.sampled_from(["supersedes", "builds-on"]),
    places,
)
changes = st.builds(
    lambda kind, place, to, edges, version: (kind, place, to, edges, version),
    st.sampled_from(["remember", "remember", "update", "forget", "restore", "rename"]),
    places,
    places,
    st.one_of(st.none(), st.lists(links, max_size=2)),
    st.one_of(st.none(), st.integers(1, 3)),
)
joins = st.tuples(st.just("alias"), st.sampled_from(SCOPES), st.sampled_from(SCOPES))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(changes, changes, changes, joins), min_size=5, max_size=40))
def test_links_renames_and_aliases_in_any_order_leave_a_whole_store(story: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        store = open_store(path, prepare=str.lower, clock=HandClock())
        try:
            assert {_refusal(store, step) for step in story} <= {"", *REFUSALS}
            rows = store.index(seen(superseded=True))
            for row in rows:
                assert store.get(row.scope, row.name).version.name == row.name
            hidden = len(rows) - len(store.index(seen()))
            assert store.counts(seen().now).superseded == hidden
            assert not rows or hidden < len(rows)
        finally:
            store.close()
        assert_whole(path)


def _refusal(store: Store, step: Any) -> str:
    try:
        if step[0] == "alias":
            store.alias(step[1], step[2], author="tester@here", dry_run=False)
            return ""
        kind, (scope, name), (to_scope, to_name), edges, version = step
        fields: dict[str, Any] = {"links": None if edges is None else tuple(edges)}
        if kind == "rename":
            fields |= {"to_scope": to_scope, "to_name": to_name}
        if kind == "restore":
            fields["version"] = version
        store.write(change(kind, name, scope, **fields))
    except CommonplaceError as error:
        return error.code
    return ""


def _leads_to_itself(model: Model, step: Step) -> bool:
    """Say whether the link's target is another name of the memory that would begin again."""
    tale, target = model.leads.get(step[1]), model.leads.get(step[2])
    return step[1] != step[2] and tale is not None and tale is target
