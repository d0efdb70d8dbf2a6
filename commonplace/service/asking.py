"""Questions to the model, each with a deadline: a model that hangs costs one wait, not many."""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from commonplace.domain.vector import Matrix
from commonplace.embed.base import Embedder
from commonplace.errors import CommonplaceError, Internal, Unavailable

QUEUE = 64


@dataclass(frozen=True, slots=True)
class _Question:
    texts: Sequence[str]
    query: bool
    answer: Future[Matrix] = field(default_factory=Future[Matrix])


class Asker:
    """One thread that embeds for those who wait; a daemon, since a model may hang for good."""

    def __init__(self, embedder: Embedder) -> None:
        """Start the thread."""
        self._embedder = embedder
        self._questions: queue.Queue[_Question | None] = queue.Queue(QUEUE)
        self._late: _Question | None = None
        threading.Thread(target=self._run, name="commonplace-asker", daemon=True).start()

    def ask(self, texts: Sequence[str], *, query: bool, timeout_s: float) -> Matrix:
        """Return the vectors.

        Raises: Unavailable when they do not come in time, at once while an earlier one is overdue.
        """
        if self.stuck():
            raise Unavailable("the model is still busy with a question that was given up")
        question = _Question(texts, query)
        try:
            self._questions.put_nowait(question)
            return question.answer.result(timeout_s)
        except queue.Full:
            raise Unavailable("too many questions wait for the model") from None
        except TimeoutError:
            self._late = question
            raise Unavailable(f"the model took more than {timeout_s:g} s") from None

    def stuck(self) -> bool:
        """Say whether a question that was given up is still unanswered."""
        late = self._late
        return late is not None and not late.answer.done()

    def close(self) -> None:
        """Let the thread end after what it is doing."""
        try:
            self._questions.put_nowait(None)
        except queue.Full:
            return

    def _run(self) -> None:
        while (question := self._questions.get()) is not None:
            try:
                question.answer.set_result(
                    self._embedder.embed(question.texts, query=question.query)
                )
            except CommonplaceError as error:
                question.answer.set_exception(error)
            except Exception as error:  # noqa: BLE001 - the one who asked gets it; others must be served
                question.answer.set_exception(Internal(f"the model failed: {type(error).__name__}"))
