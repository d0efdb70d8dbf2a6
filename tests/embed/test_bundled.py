"""The model that comes with the server: what its vectors are like, once for real."""

from __future__ import annotations

import numpy as np
import pytest

from commonplace.embed.base import Embedder
from commonplace.embed.load import load


@pytest.fixture(scope="module")
def model() -> Embedder:
    return load(None, 2)


def test_vectors_are_of_unit_length_and_the_width_it_says(model: Embedder) -> None:
    rows = model.embed(["Tests need Postgres on 5433", "", "日本語", "x " * 5000])
    assert rows.shape == (4, model.width)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_a_text_has_the_same_vector_whatever_batch_it_is_in(model: Embedder) -> None:
    texts = [
        f"fact {at}: " + "the build cache lies on the second disk " * (at % 9) for at in range(40)
    ]
    together = model.embed(texts)
    alone = np.vstack([model.embed([text]) for text in texts])
    turned = model.embed(texts[::-1])[::-1]
    assert np.abs(together - alone).max() < 1e-6
    assert np.abs(together - turned).max() < 1e-6


def test_a_paraphrase_is_closer_than_another_topic(model: Embedder) -> None:
    asked, same, other = model.embed(
        [
            "which port does the test database listen on",
            "Tests need Postgres on 5433",
            "The cat sleeps on the windowsill",
        ]
    )
    assert asked @ same > asked @ other + 0.2


def test_a_question_of_twenty_thousand_words_is_cut_not_refused(model: Embedder) -> None:
    assert model.embed(["port " * 20_000], query=True).shape == (1, model.width)


def test_no_text_gives_no_vector(model: Embedder) -> None:
    assert model.embed([]).shape == (0, model.width)
