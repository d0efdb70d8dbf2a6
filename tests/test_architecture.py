"""Rules about the source that no linter holds: the hook path's imports, sizes, swallowed errors."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.hosts import COMMAND

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "commonplace"
MODULES = sorted(PACKAGE.rglob("*.py"))
MOST_LINES, MOST_FUNCTION_LINES = 400, 50
HOOK_OWN = ("commonplace", "commonplace.errors", "commonplace.clients")
# Places that may end an error's way, each for the reason it states there.
MAY_SWALLOW = {
    "clients/hook": "a hook never breaks a session",
    "clients/cli/complete.py": "a shell in the middle of a line must not be written to",
    "clients/cli/main.py": "a person never gets a traceback",
    "wire/endpoint.py": "hooks and commands do without MCP; the log has it, agents are told",
    "service/asking.py": "the one who asked the model gets it; others must be served",
    "service/meaning.py": "a model may fail in any way; the state tells, nothing else may fail",
    "store/writer.py": "the waiting caller gets it; the writer thread goes on",
}
HOOK_INPUTS = {
    "away": ("http://127.0.0.1:1", '{"cwd": "/", "source": "startup"}'),
    "live": (None, '{"cwd": "/", "source": "resume"}'),
    "no input": (None, ""),
}

pytestmark = pytest.mark.gate


def imported(env: dict[str, str], stdin: str, *words: str | Path) -> set[str]:
    """Return the names of all modules a Python process imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *words],
        env=env,
        input=stdin,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rsplit("|", 1)[1].strip() for line in lines[1:]}


def strangers(names: set[str]) -> set[str]:
    """Return the modules that are neither the standard library's nor the hook's own."""
    own = {name for name in names if name in HOOK_OWN or name.startswith("commonplace.clients.")}
    own -= {name for name in own if name.startswith("commonplace.clients.cli")}
    foreign = {name.partition(".")[0] for name in names - own} - sys.stdlib_module_names
    # An import that failed and was caught is reported too: what cannot be found was not loaded.
    return {name for name in foreign if importlib.util.find_spec(name) is not None}


def test_importing_the_hook_path_loads_the_standard_library_alone(
    client_env: dict[str, str],
) -> None:
    bare = imported(client_env, "", "-c", "pass")
    entry = imported(client_env, "", "-c", "import commonplace.clients.entry")
    hook = imported(client_env, "", "-c", "import commonplace.clients.hook.run")
    assert "commonplace.clients.entry" in entry
    assert strangers((entry | hook) - bare) == set()


@pytest.mark.parametrize("case", HOOK_INPUTS)
def test_running_the_hook_loads_the_standard_library_alone(
    case: str, request: pytest.FixtureRequest, client_env: dict[str, str]
) -> None:
    url, stdin = HOOK_INPUTS[case]
    client_env["COMMONPLACE_URL"] = url or request.getfixturevalue("server").url
    bare = imported(client_env, "", "-c", "pass")
    ran = imported(client_env, stdin, COMMAND, "index", "--hook")
    assert "commonplace.clients.hook.run" in ran
    assert strangers(ran - bare) == set()


def test_no_module_is_longer_than_its_limit() -> None:
    sizes = {
        str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines())
        for file in MODULES
    }
    biggest = sorted(sizes.items(), key=lambda item: -item[1])[:5]
    print("biggest modules:", ", ".join(f"{name} {lines}" for name, lines in biggest))
    assert {name: lines for name, lines in sizes.items() if lines > MOST_LINES} == {}


def test_no_function_is_longer_than_its_limit() -> None:
    too_long = {
        f"{file.relative_to(ROOT)}:{node.lineno} {node.name}": lines
        for file in MODULES
        for node in functions(file)
        if (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > MOST_FUNCTION_LINES
    }
    assert too_long == {}


def functions(file: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


def test_no_broad_except_swallows_an_error_outside_the_places_named() -> None:
    found = [
        f"{where}:{handler.lineno}"
        for file in MODULES
        for handler in broad_handlers(file)
        if not any((where := str(file.relative_to(PACKAGE))).startswith(at) for at in MAY_SWALLOW)
        and not any(isinstance(node, ast.Raise) for node in ast.walk(handler))
    ]
    assert found == []


def broad_handlers(file: Path) -> Iterator[ast.ExceptHandler]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ExceptHandler) and (
            node.type is None
            or {"Exception", "BaseException"}
            & {part.id for part in ast.walk(node.type) if isinstance(part, ast.Name)}
        ):
            yield node


def test_every_module_says_in_one_line_what_it_owns() -> None:
    silent = [
        str(file.relative_to(ROOT))
        for file in MODULES
        if not (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").strip()
    ]
    assert silent == []
