"""Reads texts a person hands over: an argument, a pipe, a file."""

from __future__ import annotations

import os
import select
import stat
import sys

from commonplace.clients.cli.render import Output
from commonplace.errors import Invalid

_PATIENCE_S = 2.0


def body_text(argument: str | None, out: Output) -> str | None:
    """Return the body: the argument, standard input for `-`, or a pipe or file when none is given.

    A terminal, a socket or a device is never read unasked: an agent's shell may keep it open.
    """
    if argument == "-":
        return read_stdin(out)
    if argument is None and _is_piped():
        return read_stdin(out)
    return argument


def read_stdin(out: Output) -> str:
    """Return all of standard input, byte for byte.

    Raises: Invalid when it is not UTF-8.
    """
    if _is_piped() and not _is_ready():
        out.note("reading the text from standard input; end it with Ctrl-D, or give < /dev/null")
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise Invalid(
            f"standard input is not UTF-8 at byte {error.start}; convert it and send again"
        ) from None


def _is_piped() -> bool:
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)


def _is_ready() -> bool:
    try:
        return bool(select.select([sys.stdin], [], [], _PATIENCE_S)[0])
    except (OSError, ValueError):
        return True
