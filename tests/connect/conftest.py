"""A machine with a home of its own, and the command line on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.desk import Desk, make_desk


@pytest.fixture
def desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Desk:
    """Give a home with no agent in it."""
    return make_desk(tmp_path, monkeypatch, capfdbinary)
