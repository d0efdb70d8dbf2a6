"""Examines the client's own settings: the file, where values came from, who can read secrets."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterator

from commonplace.clients.config import FROM_DEFAULT, FROM_FILE, ClientConfig
from commonplace.clients.doctor.base import Finding, broken, ok, warning
from commonplace.errors import Invalid

TOPIC = "config"


def examine(settings: ClientConfig) -> Iterator[Finding]:
    """Examine settings that could be read."""
    file = settings.config_path
    there = file if os.path.exists(file) else f"{file} (not there, defaults hold)"
    given = [name for name, source in settings.sources.items() if source != FROM_DEFAULT]
    from_where = ", ".join(f"{name} from {settings.sources[name]}" for name in given)
    yield ok(TOPIC, f"{there}; {from_where}" if from_where else there)
    for sentence in settings.warnings:
        yield warning(TOPIC, sentence, f"edit {shlex.quote(file)}")
    yield from _token(settings)


def unreadable(error: Invalid) -> Finding:
    """Return the line for settings that cannot be read."""
    file = error.details.get("file")
    mend = f"edit {shlex.quote(str(file))}" if file else "commonplace config --help"
    return broken(TOPIC, error.message, mend)


def _token(settings: ClientConfig) -> Iterator[Finding]:
    holder = None
    if settings.token is not None and settings.sources["token"] == FROM_FILE:
        holder = settings.config_path
    elif settings.token is None and settings.token_file is not None:
        holder = settings.token_file
        try:
            settings.bearer()
        except Invalid as error:
            yield broken("token", error.message, "commonplace config set token_file FILE")
            return
    if holder is None:
        return
    if os.name == "posix" and stat.S_IMODE(os.stat(holder).st_mode) & 0o077:
        mend = f"chmod 600 {shlex.quote(holder)}"
        yield warning("token", f"others on this machine can read the token in {holder}", mend)
    else:
        yield ok("token", f"in {holder}, readable by you only")
