"""Search by meaning behind the operations: it comes and goes, and nothing else fails for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from service.conftest import Service
from service.fakes import FakeModel
from support.wait import until

from commonplace.embed.base import Embedder
from commonplace.errors import Unavailable
from commonplace.service import meaning as meaning_module
from commonplace.service.meaning import Meaning
from commonplace.service.rebuilding import Rebuilding

Give = Callable[[Callable[[], Embedder]], Service]


@pytest.fixture
def give(service: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[Give]:
    """Give the service with a model that is loaded by the function given."""
    monkeypatch.setattr(meaning_module, "RETRY_S", 0.001)
    made: list[Meaning] = []

    def build(load: Callable[[], Embedder]) -> Service:
        store = service.context.store
        made.append(Meaning(store, load))
        service.context = replace(
            service.context, meaning=made[-1], rebuilding=Rebuilding(store, made[-1])
        )
        made[-1].start()
        return service

    yield build
    service.context.rebuilding.close()
    for meaning in made:
        meaning.close()


def settled(service: Service) -> str:
    """Wait until the model is loaded or given up and nothing waits; return the state."""
    meaning = service.context.meaning
    until(lambda: meaning.state() != "loading", "the model")
    assert meaning.idle(30)
    return meaning.state()


def pending(service: Service) -> int:
    return service.context.store.vectors_state().pending


def works(service: Service) -> None:
    """Save, read, list and search by words."""
    service.save("walnut-oil", body="kept in the dark")
    assert service("get", name="walnut-oil").body == "kept in the dark"
    assert "walnut-oil" in service("index").text
    assert service("recall", query="walnut oil").matches[0].name == "walnut-oil"


def test_what_is_written_gets_its_vectors_after_the_commit(give: Give) -> None:
    service = give(FakeModel)
    service.save("a", body="one")
    service.save("b")
    until(lambda: pending(service) == 0, "vectors")
    assert settled(service) == "on"
    assert service.context.meaning.query("anything") is not None
    assert service("stats").meaning == "on"


def test_what_was_written_without_a_model_is_embedded_when_there_is_one(
    service: Service, give: Give
) -> None:
    for at in range(70):
        service.save(f"m{at}")
    give(FakeModel)
    until(lambda: pending(service) == 0, "vectors")


def test_an_empty_body_or_one_of_signs_alone_gets_no_vector_of_its_own(give: Give) -> None:
    model = FakeModel()
    service = give(lambda: model)
    service.save("only-line", body="---\n***\n")
    until(lambda: pending(service) == 0, "vectors")
    assert model.texts == ["only line: about only-line"]


def test_a_change_that_touches_no_text_keeps_the_vectors(give: Give) -> None:
    model = FakeModel()
    service = give(lambda: model)
    service.save("a")
    until(lambda: pending(service) == 0, "vectors")
    service("update", name="a", pinned=True)
    assert pending(service) == 0
    assert len(model.texts) == 1


def test_a_missing_model_turns_meaning_off_with_its_reason_and_nothing_else(give: Give) -> None:
    def load() -> Embedder:
        raise Unavailable("the model lacks model.onnx; put it there")

    service = give(load)
    until(lambda: service.context.meaning.state().startswith("off"), "off")
    works(service)
    assert service("stats").meaning == "off: the model lacks model.onnx; put it there"
    assert service.context.meaning.query("walnut") is None


def test_a_model_that_cannot_be_loaded_for_an_unknown_reason_is_off_too(give: Give) -> None:
    def load() -> Embedder:
        raise RuntimeError("secret detail")

    service = give(load)
    until(lambda: service.context.meaning.state().startswith("off"), "off")
    works(service)
    assert "secret detail" not in service("stats").meaning


def test_a_model_that_loads_slowly_holds_nothing_up(give: Give) -> None:
    model = FakeModel()
    model.gate.clear()

    def load() -> Embedder:
        assert model.gate.wait(60)
        return model

    service = give(load)
    works(service)
    assert service("stats").meaning == "loading"
    model.gate.set()
    assert settled(service) == "on"
    until(lambda: pending(service) == 0, "vectors")


def test_a_model_that_hangs_holds_nothing_up(give: Give, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning_module, "ASK_S", 0.05)
    model = FakeModel()
    service = give(lambda: model)
    assert settled(service) == "on"
    model.gate.clear()
    works(service)
    assert service.context.meaning.query("walnut") is None
    assert "does not answer in time" in service("stats").meaning
    calls = model.calls
    assert service.context.meaning.query("again") is None
    assert model.calls == calls  # an overdue question is not joined by another
    model.gate.set()
    until(lambda: service.context.meaning.on(), "an answer")
    assert service.context.meaning.query("walnut") is not None


def test_a_model_that_fails_for_a_moment_is_tried_again(give: Give) -> None:
    model = FakeModel()
    model.fail = 2
    service = give(lambda: model)
    service.save("a")
    until(lambda: pending(service) == 0, "vectors")
    assert settled(service) == "on"


def test_a_model_that_goes_on_failing_is_turned_off_with_its_reason(give: Give) -> None:
    model = FakeModel()
    model.fail = 1000
    service = give(lambda: model)
    service.save("a")
    until(lambda: service.context.meaning.state().startswith("off"), "off")
    assert service.context.meaning.state() == "off: the model is out of memory"
    assert model.calls == meaning_module.TRIES
    assert pending(service) == 1
    works(service)
    model.fail = 0
    service("reindex")
    until(lambda: pending(service) == 0, "vectors after reindex")
    assert settled(service) == "on"


@pytest.mark.parametrize("value", [float("nan"), 0.0, float("inf")])
def test_vectors_that_are_none_are_never_stored(give: Give, value: float) -> None:
    model = FakeModel()
    model.spoil = value
    service = give(lambda: model)
    works(service)
    until(lambda: service.context.meaning.state().startswith("off"), "off")
    assert "the model is broken" in service.context.meaning.state()
    assert service.context.store.vectors_state().held == 0


def test_another_model_waits_for_reindex(service: Service, give: Give) -> None:
    give(FakeModel)
    service.save("a", body="walnut")
    until(lambda: pending(service) == 0, "vectors")
    service.context.meaning.close()
    give(lambda: FakeModel("newer", 12))
    until(lambda: service.context.meaning.state().startswith("off"), "off")
    state = service.context.meaning.state()
    assert "come from the model fake" in state
    assert "run commonplace reindex" in state
    works(service)
    assert service.context.store.vectors_state().model.width == 8
    assert service("reindex", wait_s=20).running in (True, False)
    until(lambda: pending(service) == 0, "vectors of the new model")
    assert settled(service) == "on"
    told = service("reindex", start=False)
    assert (told.running, told.memories, told.words, told.vectors) == (False, 2, 2, 2)
    assert service.context.store.vectors_state().model.name == "newer"


def test_reindex_makes_words_and_vectors_again_and_keeps_everything(give: Give) -> None:
    model = FakeModel()
    service = give(lambda: model)
    for at in range(60):
        service.save(f"m{at}", body="walnut" if at % 2 else "hazel")
    until(lambda: pending(service) == 0, "vectors")
    model.texts.clear()
    service("reindex")
    until(lambda: not service("reindex", start=False).running, "the end of reindex")
    assert len(model.texts) == 120
    assert service("stats").memories == 60
    assert len(service("recall", query="walnut", limit=50).matches) >= 30


def test_reindex_without_a_model_makes_the_words_again(service: Service) -> None:
    service.save("a", body="walnut")
    service("reindex")
    until(lambda: not service("reindex", start=False).running, "the end of reindex")
    told = service("reindex", start=False)
    assert (told.memories, told.words) == (1, 1)
    assert told.meaning == "off: test"


@pytest.mark.parametrize("wait_s", [-1, 31, 10**30])
def test_a_wait_out_of_range_is_refused(service: Service, wait_s: int) -> None:
    assert service.refused("reindex", wait_s=wait_s).code == "INVALID"


def test_closing_leaves_the_rest_for_the_next_start(service: Service, give: Give) -> None:
    model = FakeModel()
    model.gate.clear()
    for at in range(100):
        service.save(f"m{at}")
    give(lambda: model)
    until(lambda: model.calls > 0, "the first batch")
    model.gate.set()
    service.context.meaning.close()
    assert pending(service) > 0
    give(FakeModel)
    until(lambda: pending(service) == 0, "the rest")
