"""The console command tells the hook from everything else."""

from __future__ import annotations

import pytest

from commonplace.clients.entry import hook_arguments


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("index --hook", []),
        ("index --hook --client codex", ["--client", "codex"]),
        ("index --budget 3000 --hook", ["--budget", "3000"]),
        ("--url http://h:1 --json index --hook", ["--url", "http://h:1"]),
        ("--url=http://h:1 index --hook --no-color", ["--url=http://h:1"]),
        ("index", None),
        ("index --hook --help", None),
        ("recall --hook", None),
        ("recall index --hook", None),
        ("--host index", None),
        ("", None),
    ],
)
def test_only_index_with_hook_takes_the_short_path(line: str, options: list[str] | None) -> None:
    assert hook_arguments(line.split()) == options
