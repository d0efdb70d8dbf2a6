"""The checks over the source as a whole, each a test, so that one command runs them all."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PYTHON_SOURCES = ["commonplace", "tests", "scripts", "benchmarks", "hooks"]
TYPESCRIPT = sorted((ROOT / "extensions").rglob("*.ts"))

pytestmark = pytest.mark.gate
needs_typescript = pytest.mark.skipif(not TYPESCRIPT, reason="no TypeScript under extensions/ yet")


def run(*command: str | Path) -> str:
    """Run a checker in the checkout; its whole output is the failure message."""
    env = {**os.environ, "NO_COLOR": "1", "COLUMNS": "120"}
    env.pop("FORCE_COLOR", None)
    done = subprocess.run(
        command, cwd=ROOT, env=env, check=False, capture_output=True, text=True, timeout=280
    )
    output = done.stdout + done.stderr
    if done.returncode != 0:
        pytest.fail(f"{Path(command[0]).name} exited {done.returncode}\n{output}", pytrace=False)
    return output


def node(program: str, *args: str | Path) -> str:
    return run(sys.executable, ROOT / "scripts/node.py", program, *args)


def test_sources_are_in_the_one_format() -> None:
    run(BIN / "ruff", "format", "--check", *PYTHON_SOURCES)


def test_sources_pass_the_linter() -> None:
    run(BIN / "ruff", "check", *PYTHON_SOURCES)


def test_no_import_crosses_the_layers() -> None:
    output = run(BIN / "lint-imports", "--no-logo", "--no-cache")
    assert re.search(r"\b0 broken", output), output


def test_declared_dependencies_are_the_imported_ones() -> None:
    run(BIN / "deptry", "--no-ansi", ".")


def test_types_hold_under_pyright_strict() -> None:
    output = node("pyright", "--pythonpath", sys.executable)
    assert "0 errors, 0 warnings" in output, output


@needs_typescript
def test_types_of_the_extensions_hold() -> None:
    node("tsc", "--noEmit", "--project", ROOT / "tsconfig.json")


@needs_typescript
def test_the_extensions_pass_biome() -> None:
    node("biome", "ci", "extensions")


def test_lock_files_name_no_place_to_fetch_from() -> None:
    for file in [*(ROOT / "requirements").glob("*.txt"), ROOT / "package-lock.json"]:
        text = file.read_text(encoding="utf-8")
        assert '"resolved"' not in text, file
        assert "index-url" not in text, file
        assert not re.search(r"@ (?:https?|file)://", text), file


def test_lock_files_cover_what_the_package_declares() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    base = project["project"]["dependencies"]
    extra = project["project"]["optional-dependencies"]["server"]
    for lock, wanted in {
        "serve": [*base, *extra, *groups["build"]],
        "dev": [*base, *extra, *groups["build"], *groups["dev"]],
    }.items():
        text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
        pinned = dict(re.findall(r"^([a-z0-9._-]+)==([^ ;\\]+)", text, re.M))
        missing = [line for line in wanted if not pinned_fits(line, pinned)]
        assert not missing, f"requirements/{lock}.txt is out of date (make lock): {missing}"


def pinned_fits(requirement: str, pinned: dict[str, str]) -> bool:
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    wanted = Requirement(requirement)
    version = pinned.get(canonicalize_name(wanted.name))
    return version is not None and wanted.specifier.contains(version, prereleases=True)
