"""Finds out what connecting needs to know of this machine: its folders, and our own program."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from commonplace.clients import config
from commonplace.clients.config import FROM_ENV, FROM_OPTION, ClientConfig
from commonplace.clients.connect.base import Credential, Link, Machine
from commonplace.errors import Unavailable

# What a hook started by a desktop program or launchd would not see: options and variables of now.
_HOOK_NEEDS = ("url", "host", "token_file")


def this_machine(settings: ClientConfig) -> Machine:
    """Return where the person's files are."""
    return Machine(
        home=Path(settings.home),
        config_home=Path(config.config_home(settings.home)),
        platform=sys.platform,
        variable=config.variable,
    )


def link(settings: ClientConfig, *, in_clear: bool = False) -> Link:
    """Return what entries must say by these settings.

    Raises: Unavailable when this installation has no command a hook could call; Invalid when the
    token file is asked for in clear and cannot be read.
    """
    near = {FROM_OPTION, FROM_ENV}
    options = [
        word
        for name in _HOOK_NEEDS
        if settings.sources[name] in near
        for word in (f"--{name.replace('_', '-')}", settings.shown(name))
    ]
    return Link(
        url=settings.url,
        host=settings.host,
        program=program(),
        hook_options=tuple(options),
        credential=_credential(settings),
        token_file=settings.token_file or "",
        clear_token=settings.bearer() if in_clear else None,
    )


def _credential(settings: ClientConfig) -> Credential:
    if settings.token is not None:
        return "variable"
    return "file" if settings.token_file is not None else "none"


def program() -> str:
    """Return the absolute path of our own command, in the form that outlives an upgrade.

    Raises: Unavailable when there is none.
    """
    own = Path(sys.executable).parent / "commonplace"
    on_path = shutil.which("commonplace")
    # A link in ~/.local/bin stays when the folder it leads to is exchanged.
    if on_path and (not own.exists() or os.path.realpath(on_path) == os.path.realpath(own)):
        return os.path.abspath(on_path)
    if own.exists():
        return str(own)
    raise Unavailable("the commonplace command is not installed; install commonplace-memory again")
