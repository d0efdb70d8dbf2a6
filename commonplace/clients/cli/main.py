"""Runs a command line: a failure is one line on stderr and an exit code, never a traceback."""

import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.exceptions import TyperException

from commonplace.clients.cli.group import build
from commonplace.clients.cli.session import Globals, output
from commonplace.errors import CommonplaceError, Internal, Unavailable

DONE, REFUSED, USAGE, NOT_REACHABLE, INTERRUPTED = 0, 1, 2, 3, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    args = list(sys.argv[1:] if argv is None else argv)
    given = Globals()
    try:
        return _run(args, given)
    except KeyboardInterrupt:
        return INTERRUPTED
    except typer.Abort:
        return INTERRUPTED
    except TyperException as error:
        given.as_json |= "--json" in args
        return _usage(error, given)
    except CommonplaceError as error:
        output(given).error(error)
        return NOT_REACHABLE if isinstance(error, Unavailable) else REFUSED
    except Exception as error:  # noqa: BLE001 - the last line of defence: a person never gets a traceback
        output(given).error(_fault(error))
        return REFUSED


def _run(args: list[str], given: Globals) -> int:
    root = build()
    code: Any = root.main(args, prog_name="commonplace", standalone_mode=False, obj=given)
    return code if isinstance(code, int) else DONE


def _usage(error: TyperException, given: Globals) -> int:
    ctx = getattr(error, "ctx", None)
    path = ctx.command_path if ctx is not None else "commonplace"
    message = error.format_message().rstrip(".?") or "the command line is incomplete"
    output(given).usage(message, f"see {path} --help")
    return USAGE


def _fault(error: Exception) -> Internal:
    where = error.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    place = f" at {where.tb_frame.f_code.co_name}:{where.tb_lineno}" if where else ""
    return Internal(f"a fault of ours: {type(error).__name__}{place}; please report it")
