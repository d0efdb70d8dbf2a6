"""What is kept on a client's disk: the last index, and which sessions had theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonplace.clients.cache import IndexCache, Served, age_in_words

KEY = ("http://127.0.0.1:1", "laptop", "github.com/acme/widget")
NOW = 1_800_000_000.0


def test_what_was_kept_last_comes_back_with_its_age(tmp_path: Path) -> None:
    cache = IndexCache(str(tmp_path / "c"))
    assert cache.last(KEY, NOW) is None
    cache.keep(KEY, "old", NOW - 50)
    cache.keep(KEY, "new — é\n", NOW)
    found = cache.last(KEY, NOW + 90)
    assert found is not None
    assert (found.text, found.age_s) == ("new — é\n", 90.0)
    backwards = cache.last(KEY, NOW - 500)
    assert backwards is not None
    assert backwards.age_s == 0.0
    for other in (("http://127.0.0.1:2", *KEY[1:]), (*KEY[:2], ""), (KEY[0], "desk", KEY[2])):
        assert cache.last(other, NOW) is None


def test_files_are_for_their_owner_only(tmp_path: Path) -> None:
    IndexCache(str(tmp_path / "c")).keep(KEY, "x", NOW)
    [file] = (tmp_path / "c/index").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"[]", b"{}", b'{"key": [], "text": "x", "saved_at": 1}', b"\xff"],
)
def test_a_damaged_file_is_an_empty_cache(tmp_path: Path, raw: bytes) -> None:
    cache = IndexCache(str(tmp_path))
    cache.keep(KEY, "x", NOW)
    [file] = (tmp_path / "index").iterdir()
    file.write_bytes(raw)
    assert cache.last(KEY, NOW) is None
    cache.keep(KEY, "y", NOW)
    found = cache.last(KEY, NOW)
    assert found is not None
    assert found.text == "y"


def test_another_keys_file_is_not_taken(tmp_path: Path) -> None:
    cache = IndexCache(str(tmp_path))
    cache.keep(KEY, "x", NOW)
    [file] = (tmp_path / "index").iterdir()
    text = file.read_text(encoding="utf-8").replace("laptop", "desk")
    file.write_text(text, encoding="utf-8")
    assert cache.last(KEY, NOW) is None


def test_a_disk_that_takes_nothing_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    cache = IndexCache(str(tmp_path / "file"))
    cache.keep(KEY, "x", NOW)
    assert cache.last(KEY, NOW) is None
    served = Served(str(tmp_path / "file"))
    assert served.claim("s", NOW, for_good=True)
    assert served.claim("s", NOW, for_good=True)


def test_a_claim_for_good_is_given_once(tmp_path: Path) -> None:
    served = Served(str(tmp_path / "c"))
    assert served.claim("s\nstartup", NOW, for_good=True)
    assert not served.claim("s\nstartup", NOW + 10**6, for_good=True)
    assert served.claim("t\nstartup", NOW, for_good=True)


def test_a_claim_for_a_moment_lapses(tmp_path: Path) -> None:
    served = Served(str(tmp_path / "c"))
    assert served.claim("s", NOW, for_good=False)
    assert not served.claim("s", NOW + 5, for_good=False)
    assert served.claim("s", NOW + 11, for_good=False)
    assert not served.claim("s", NOW + 12, for_good=False)


def test_old_marks_are_cleared_in_time(tmp_path: Path) -> None:
    served = Served(str(tmp_path))
    for at in range(100):
        served.claim(f"old {at}", NOW, for_good=True)
    for at in range(100):
        served.claim(f"new {at}", NOW + 15 * 86400, for_good=True)
    assert len(list((tmp_path / "sessions").iterdir())) <= 100


@pytest.mark.parametrize(
    ("age_s", "words"),
    [
        (0.0, "less than a minute ago"),
        (60.0, "1 minute ago"),
        (3599.0, "59 minutes ago"),
        (3600.0, "1 hour ago"),
        (86400.0 * 3.9, "3 days ago"),
    ],
)
def test_an_age_is_said_in_words(age_s: float, words: str) -> None:
    assert age_in_words(age_s) == words
