"""Any story of changes leaves SQLite's store as a few lines of dictionaries say it must be."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

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


def _leads_to_itself(model: Model, step: Step) -> bool:
    """Say whether the link's target is another name of the memory that would begin again."""
    tale, target = model.leads.get(step[1]), model.leads.get(step[2])
    return step[1] != step[2] and tale is not None and tale is target
