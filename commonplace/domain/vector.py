"""Vectors that stand for a text's meaning, and which of them are refused."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from commonplace.errors import Invalid

# Shapes: (d,) float32, of unit length.
Vector: TypeAlias = npt.NDArray[np.float32]
# Shapes: (n, d) float32, rows of unit length.
Matrix: TypeAlias = npt.NDArray[np.float32]

UNIT_TOLERANCE = 1e-3


def check(vectors: npt.NDArray[Any], width: int) -> Matrix:
    """Return the rows as contiguous float32 of unit length.

    Raises: Invalid for another width, NaN, infinity, a zero vector, one that is not of unit length.
    """
    rows = np.ascontiguousarray(np.atleast_2d(vectors), dtype=np.float32)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise Invalid(f"a vector is {rows.shape[-1]} wide, the model gives {width}; nothing stored")
    if not np.isfinite(rows).all():
        raise Invalid("a vector holds NaN or infinity; the model is broken")
    lengths = np.linalg.norm(rows, axis=1)
    if (lengths == 0).any():
        raise Invalid("a vector is all zeros; the model is broken")
    if np.abs(lengths - 1).max(initial=0) > UNIT_TOLERANCE:
        raise Invalid("a vector is not of unit length; the model is broken")
    return rows
