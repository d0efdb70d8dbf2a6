"""What a person can use stands in README.md or in `commonplace help`, and what they say exists."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache, lru_cache
from pathlib import Path

import pytest

from commonplace import errors, settings
from commonplace.clients import config
from commonplace.clients.cli.group import build
from commonplace.service.operations import OPERATIONS

ROOT = Path(__file__).resolve().parent.parent
COMMAND = Path(sys.executable).parent / "commonplace"
TOPICS = ("settings", "operations", "errors", "exits", "scopes")
COMMANDS = tuple(build().commands) or tuple(build().list_commands(None))  # pyright: ignore

pytestmark = pytest.mark.gate


@cache
def shown(*words: str) -> str:
    done = subprocess.run(
        [COMMAND, "help", *words], check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout


@lru_cache(maxsize=1)
def documents() -> str:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return "\n".join([readme, shown(), *(shown(topic) for topic in TOPICS)])


def assert_documented(names: list[str]) -> None:
    missing = [
        name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}\b", documents())
    ]
    assert not missing, f"neither in README.md nor in `commonplace help`: {missing}"


def test_every_command_is_documented() -> None:
    assert len(COMMANDS) > 15
    assert_documented(list(COMMANDS))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_has_an_example(command: str) -> None:
    assert re.search(rf"Examples:\n\s+.*commonplace {command}\b", shown(command)), shown(command)


def test_every_operation_is_documented() -> None:
    assert {"remember", "update", "recall"} <= set(OPERATIONS)
    assert_documented(list(OPERATIONS))


def test_every_setting_is_documented_by_name_and_variable() -> None:
    both = [*settings.SETTINGS, *config.SETTINGS]
    assert_documented([name for setting in both for name in (setting.name, setting.env)])


def test_every_error_code_is_documented() -> None:
    assert "VERSION_CONFLICT" in errors.codes()
    assert_documented(list(errors.codes()))


def test_documents_name_only_commands_and_targets_that_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.M))
    for name in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        code = "\n".join(
            re.findall(r"```[a-z]*\n(.*?)```", text, re.S) + re.findall(r"`(.+?)`", text)
        )
        asked = set(re.findall(r"^\s*(?:\$ )?make ([a-z-]+)", code, re.M))
        assert asked <= targets, f"{name}: no such make target: {asked - targets}"
        used = set(re.findall(r"^\s*(?:\$ |\w+\$ )?commonplace ([a-z-]+)", code, re.M))
        assert used <= set(COMMANDS), f"{name}: no such command: {used - set(COMMANDS)}"


def test_messages_name_only_commands_that_exist() -> None:
    unknown: set[str] = set()
    for file in sorted((ROOT / "commonplace").rglob("*.py")):
        named = re.findall(r"(?:`|[Rr]un )commonplace ([a-z]+)", file.read_text(encoding="utf-8"))
        unknown |= {f"{file.relative_to(ROOT)}: {name}" for name in named if name not in COMMANDS}
    assert unknown == set()


def test_the_changelog_tells_of_this_version() -> None:
    from commonplace import __version__

    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[?({re.escape(__version__)}|Unreleased)\b", text, re.M)
