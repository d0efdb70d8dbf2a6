"""Chooses and loads the model a server was told to use."""

from __future__ import annotations

from pathlib import Path

from commonplace.embed import model
from commonplace.embed.base import Embedder
from commonplace.errors import Unavailable


def load(folder: Path | None, threads: int) -> Embedder:
    """Return the folder's model, or the one that comes with the server; takes about a second.

    Raises: Unavailable, with what is missing or broken.
    """
    spec = model.default() if folder is None else model.of_folder(folder)
    try:
        # Not at the top: it takes longer to load than the server may take to start.
        from commonplace.embed.onnx import OnnxEmbedder  # noqa: PLC0415
    except ImportError as error:
        raise Unavailable(
            f"the model cannot run: {error.name} is not installed or does not load;"
            " install commonplace-memory[server] again"
        ) from error
    return OnnxEmbedder(spec, threads)
