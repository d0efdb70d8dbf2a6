"""Assertions in the shared suite explain themselves as those in test files do."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("store.contract", "store.contract_vectors", "store.whole")
