"""The console command: the session-start hook takes its own short path, all else is the CLI's."""

# ruff: noqa: PLC0415 - typer alone takes longer than the hook may, so each way loads only its own.
from __future__ import annotations

import sys

_FLAGS = frozenset({"--json", "--no-color", "--no-queue"})


def main() -> int:
    """Run the command line this process was started with; return its exit code."""
    for_hook = hook_arguments(sys.argv[1:])
    if for_hook is not None:
        from commonplace.clients.hook import run

        run.main(for_hook)
    try:
        from commonplace.clients.cli.main import main as cli
    except KeyboardInterrupt:
        return 130
    return cli()


def hook_arguments(arguments: list[str]) -> list[str] | None:
    """Return the options of an `index --hook`, None where anything else was asked for.

    Global options may stand before the command, as everywhere.
    """
    at = 0
    while at < len(arguments) and arguments[at].startswith("--"):
        at += 1 if "=" in arguments[at] or arguments[at] in _FLAGS else 2
    given = [word for word in arguments if word != "--hook"]
    asked = arguments[at : at + 1] == ["index"] and len(given) < len(arguments)
    if not asked or {"--help", "-h", "--version"} & set(arguments):
        return None
    return [word for word in given[:at] + given[at + 1 :] if word not in _FLAGS]
