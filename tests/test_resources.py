"""The files beside the package are found in a checkout."""

from __future__ import annotations

from commonplace.resources import folder


def test_a_checkout_gives_its_own_folders() -> None:
    assert (folder("migrations") / "0001_base.sql").is_file()
    assert folder("hooks").name == "hooks"
    assert folder("extensions").name == "extensions"
