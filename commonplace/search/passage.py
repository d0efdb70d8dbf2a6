"""Which texts of a memory get a vector, the same for storing and for comparing a draft."""

from __future__ import annotations

import re
from dataclasses import dataclass

_JOINTS = re.compile(r"[-_]+")


@dataclass(frozen=True, slots=True)
class Passage:
    """The two texts of a memory; `whole` is None where the body has no letter or digit."""

    description: str
    whole: str | None


def passage(name: str, description: str, body: str) -> Passage:
    """Return the description with the words of the name before it, and that with the body after it.

    Source: measured on the bench sets (docs/recall.md): the body beside its description, not alone.
    """
    words = _JOINTS.sub(" ", name)
    whole = f"{words}. {description}\n{body}" if any(map(str.isalnum, body)) else None
    return Passage(f"{words}: {description}", whole)
