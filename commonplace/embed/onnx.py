"""Runs a sentence model with onnxruntime; the one module that knows it and tokenizers."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime  # pyright: ignore[reportMissingTypeStubs]
from tokenizers import Tokenizer

from commonplace.domain.vector import Matrix, check
from commonplace.embed import model
from commonplace.embed.model import Spec
from commonplace.errors import Unavailable
from commonplace.settings import MODEL_FILE

# Source: measured (docs/recall.md); batches of 4,096 padded tokens are a third slower.
BATCH_TOKENS = 512
# No text needs more characters than this for each token; what is cut off would not be seen anyway.
CHARS_A_TOKEN = 64
_PROBE = "a fact in one line"
_INPUTS = {"input_ids", "attention_mask", "token_type_ids"}


class OnnxEmbedder:
    """An `Embedder` over ONNX weights and a tokenizer.json."""

    def __init__(self, spec: Spec, threads: int) -> None:
        """Check and load the files, and embed one text to see that the width is right.

        Raises: Unavailable, naming the file and what is wrong with it.
        """
        self._spec = spec
        self._sha256 = spec.identity(
            model.checked(spec.weights, spec.weights_sha256),
            model.checked(spec.tokenizer, spec.tokenizer_sha256),
        )
        self._tokenizer = _tokenizer(spec)
        self._session = _session(spec, threads)
        _give_back()
        self._inputs = {given.name for given in self._session.get_inputs()}
        if not self._inputs <= _INPUTS:
            odd = ", ".join(sorted(self._inputs - _INPUTS))
            raise Unavailable(f"{spec.weights} asks for inputs no sentence model has: {odd}")
        self._check_width()

    @property
    def name(self) -> str:
        """What the model is called."""
        return self._spec.name

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return self._spec.width

    @property
    def sha256(self) -> str:
        """Hex digest over everything that decides what the vectors are."""
        return self._sha256

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Matrix:
        """Return one vector a text, in their order."""
        spec = self._spec
        prefix = spec.query_prefix if query else spec.passage_prefix
        longest = spec.max_tokens * CHARS_A_TOKEN
        clipped = [(prefix + text)[:longest] for text in texts]
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(clipped)]
        found = np.zeros((len(texts), spec.width), np.float32)
        for at in _batches([len(ids) for ids in tokens]):
            found[at] = self._pooled([tokens[i] for i in at])
        return check(found, spec.width)

    def _pooled(self, tokens: Sequence[Sequence[int]]) -> npt.NDArray[Any]:
        shape = (len(tokens), max(map(len, tokens)))
        ids, mask = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for row, held in enumerate(tokens):
            ids[row, : len(held)] = held
            mask[row, : len(held)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._run({name: feed[name] for name in self._inputs})
        vectors = _pool(hidden, mask, self._spec)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(lengths == 0, 1, lengths)

    def _run(self, feed: dict[str, npt.NDArray[Any]]) -> npt.NDArray[Any]:
        try:
            return np.asarray(self._session.run(None, feed)[0])
        except Exception as error:
            # onnxruntime's errors share no base class but this one.
            raise Unavailable(f"the model {self.name} failed: {_first_line(error)}") from error

    def _check_width(self) -> None:
        probe = self._pooled([self._tokenizer.encode(_PROBE).ids])
        if probe.shape[1] != self._spec.width:
            raise Unavailable(
                f"the model {self.name} gives vectors {probe.shape[1]} wide, its settings say"
                f" {self._spec.width}; set width = {probe.shape[1]} in {MODEL_FILE}"
            )


def _tokenizer(spec: Spec) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_file(str(spec.tokenizer))
        tokenizer.enable_truncation(spec.max_tokens)  # pyright: ignore[reportUnknownMemberType]
    except Exception as error:
        # tokenizers raises plain Exception.
        raise Unavailable(
            f"{spec.tokenizer} is no tokenizer.json ({_first_line(error)}); fetch it again"
        ) from error
    tokenizer.no_padding()
    return tokenizer


def _session(spec: Spec, threads: int) -> Any:
    runtime: Any = onnxruntime
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Weights of 8 bits with arithmetic in float32: without it activations are rounded as well, by a
    # scale taken from the whole batch. Source: measured, the same vectors in half the time.
    options.add_session_config_entry("session.disable_quant_qdq", "1")
    # An arena keeps the most any batch needed, for good: 60 MB more for no measurable speed.
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    # A thread that spins for work takes a core from the requests.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return runtime.InferenceSession(
            str(spec.weights), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:
        # onnxruntime's errors share no base class but this one.
        raise Unavailable(
            f"{spec.weights} is no ONNX model, or cut short ({_first_line(error)}); fetch it again"
        ) from error


def _pool(hidden: npt.NDArray[Any], mask: npt.NDArray[np.int64], spec: Spec) -> npt.NDArray[Any]:
    if hidden.ndim != (2 if spec.pooling == "none" else 3):
        raise Unavailable(
            f"the model {spec.name} gives {hidden.ndim}-dimensional output, which pooling"
            f' "{spec.pooling}" does not fit; change pooling in {MODEL_FILE}'
        )
    if spec.pooling == "none":
        return hidden
    if spec.pooling == "cls":
        return hidden[:, 0]
    weights = mask[:, :, None].astype(np.float32)
    return (hidden * weights).sum(axis=1) / weights.sum(axis=1)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield positions, short texts first, in batches that hold `BATCH_TOKENS` when padded."""
    batch: list[int] = []
    for at in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[at] * (len(batch) + 1) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _give_back() -> None:
    """Return to the system what loading used and freed: 60 MB, where the C library can."""
    trim: Any = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
