"""The console command: sends the session-start hook down its short path, everything else to the CLI."""

# ruff: noqa: PLC0415 - typer costs ten times what the whole hook may take, so each way loads only its own.
from __future__ import annotations

import sys


def main() -> int:
    """Run the command line this process was started with; return its exit code."""
    arguments = sys.argv[1:]
    if is_hook(arguments):
        from commonplace.clients.hook import run

        run.main(arguments[1:])
    return _cli()


def is_hook(arguments: list[str]) -> bool:
    """Say whether this is `index --hook`, not asked for its help."""
    return (
        arguments[:1] == ["index"]
        and "--hook" in arguments
        and not {"--help", "-h"} & set(arguments)
    )


def _cli() -> int:
    from commonplace.errors import CommonplaceError, Unavailable

    try:
        from commonplace.clients.cli.main import app

        app()
    except CommonplaceError as error:
        sys.stderr.write(f"{error.code}: {error.message}\n")
        return 3 if isinstance(error, Unavailable) else 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has had enough; a second try at exit must not complain either.
        sys.stdout = None  # pyright: ignore[reportAttributeAccessIssue]
        return 0
    except Exception as error:  # noqa: BLE001 - no traceback reaches a person; this is the outermost frame
        sys.stderr.write(
            f"INTERNAL: unexpected {type(error).__name__}: this is a fault of commonplace's;"
            " please report it with what you did\n"
        )
        return 1
    return 0
