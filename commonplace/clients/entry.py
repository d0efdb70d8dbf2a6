"""The console command: the session-start hook takes its own short path, all else is the CLI's."""

# ruff: noqa: PLC0415 - typer alone takes longer than the hook may, so each way loads only its own.
from __future__ import annotations

import sys


def main() -> int:
    """Run the command line this process was started with; return its exit code."""
    arguments = sys.argv[1:]
    if is_hook(arguments):
        from commonplace.clients.hook import run

        run.main(arguments[1:])
    from commonplace.clients.cli.main import main as cli

    return cli()


def is_hook(arguments: list[str]) -> bool:
    """Say whether this is `index --hook`, not asked for its help."""
    return (
        arguments[:1] == ["index"]
        and "--hook" in arguments
        and not {"--help", "-h"} & set(arguments)
    )
