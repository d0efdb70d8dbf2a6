"""The envelope alone: valid JSON under its cap for any text."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from commonplace.clients.hook.envelope import CLIENTS, MAX_BYTES, fitting

LINES = st.lists(st.text(max_size=400), max_size=120)


@given(LINES, st.sampled_from(CLIENTS), st.integers(400, MAX_BYTES))
def test_any_text_fits_and_keeps_its_beginning(lines: list[str], client: str, cap: int) -> None:
    text = "\n".join(lines)
    raw = fitting(text, client, "SessionStart", cap)
    assert len(raw) <= cap
    value = json.loads(raw)
    shown = next(iter(value.values()))
    shown = shown["additionalContext"] if isinstance(shown, dict) else shown
    whole = text.encode("utf-8", "replace").decode()
    kept, _, last = shown.rpartition("\n")
    assert shown == whole or (whole.startswith(kept) and "Cut here" in (last or shown))
