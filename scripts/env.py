"""Builds the project's own environment: a .venv from a hash-pinned lock, and node_modules.

Run by the Makefile with whatever Python is there: the standard library only, in words an older
Python 3 can parse, so that it can say it is too old. Each step leaves a stamp that holds a hash of
all it was made from, so that a second run costs a few comparisons.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)
KINDS = ("serve", "dev")  # each holds all the one before it holds
PIP_FLAGS = ("-qq", "--disable-pip-version-check", "--no-input")


def main(kind: str, folder: str) -> int:
    """Make `folder` a virtual environment with all that `kind` needs; return an exit code."""
    if sys.version_info < OLDEST:
        found = ".".join(str(part) for part in sys.version_info[:3])
        print(
            f"commonplace needs Python {OLDEST[0]}.{OLDEST[1]} or newer,"
            f" {sys.executable} is {found}. Name a newer one: make PYTHON=python3.12 serve",
            file=sys.stderr,
        )
        return 2
    venv = ROOT / folder
    try:
        _dependencies(kind, venv)
        _package(venv)
        _compile(venv)
        if kind == "dev":
            _node_modules(venv)
    except subprocess.CalledProcessError as error:
        command = " ".join(str(word) for word in error.cmd)
        print(f"{folder}: set-up failed (exit {error.returncode}) at: {command}", file=sys.stderr)
        return 1
    return 0


def _dependencies(kind: str, venv: Path) -> None:
    enough = KINDS[KINDS.index(kind) :]
    wanted = {each: _digest([_lock(each)], sys.version, str(venv)) for each in enough}
    if any(_stamp(venv, each) == wanted[each] for each in enough):
        return
    print(f"setting up {venv.name} from requirements/{kind}.txt (a minute or so, once)", flush=True)
    # --clear: what an interrupted or older set-up left must not leak into this one. --without-pip:
    # the machine's pip installs into it, since some systems split venv's own copy of pip off.
    _run(sys.executable, "-m", "venv", "--clear", "--without-pip", venv)
    _pip(venv, "--require-hashes", "--requirement", _lock(kind))
    _set_stamp(venv, kind, wanted[kind])


def _package(venv: Path) -> None:
    wanted = _digest([ROOT / "pyproject.toml", ROOT / "commonplace/__init__.py"])
    if _stamp(venv, "package") == wanted:
        return
    _pip(venv, "--no-deps", "--no-build-isolation", "--no-index", "--editable", ROOT)
    _set_stamp(venv, "package", wanted)


def _compile(venv: Path) -> None:
    # Installing a wheel does this; an editable package would be compiled anew at every start where
    # PYTHONDONTWRITEBYTECODE is set, and the session-start hook would take three times its time.
    _run(_python(venv), "-m", "compileall", "-q", ROOT / "commonplace")


def _node_modules(venv: Path) -> None:
    wanted = _digest([ROOT / "package.json", ROOT / "package-lock.json"])
    modules = ROOT / "node_modules"
    if _stamp(modules, "lock") == wanted:
        return
    print("setting up node_modules from package-lock.json (type checkers, once)", flush=True)
    flags = ("--silent", "--no-audit", "--no-fund", "--ignore-scripts")
    _run(_python(venv), ROOT / "scripts/node.py", "npm", "ci", *flags)
    _set_stamp(modules, "lock", wanted)


def _pip(venv: Path, *words: str | Path) -> None:
    pip = (sys.executable, "-m", "pip", "--python", _python(venv), "install", *PIP_FLAGS)
    _run(*pip, *words)


def _python(venv: Path) -> Path:
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _lock(kind: str) -> Path:
    return ROOT / "requirements" / f"{kind}.txt"


def _stamp(folder: Path, name: str) -> str:
    file = folder / f".made-{name}"
    return file.read_text(encoding="ascii") if file.is_file() else ""


def _set_stamp(folder: Path, name: str, digest: str) -> None:
    (folder / f".made-{name}").write_text(digest, encoding="ascii")


def _digest(files: list[Path], *words: str) -> str:
    total = hashlib.sha256("\0".join(words).encode())
    for file in files:
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True, cwd=ROOT, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
