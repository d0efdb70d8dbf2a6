"""Examines which scopes a session here would have, and what waits or is kept on this machine."""

from __future__ import annotations

import os
import shlex
import time
from pathlib import Path

from commonplace.clients import scope
from commonplace.clients.cache import IndexCache, age_in_words
from commonplace.clients.config import ClientConfig
from commonplace.clients.doctor.base import Finding, broken, ok, warning
from commonplace.clients.outbox import Outbox
from commonplace.clients.scope import Resolution
from commonplace.errors import CommonplaceError


def examine_scope(settings: ClientConfig) -> tuple[Resolution | None, list[Finding]]:
    """Examine the scopes of this folder; return them too where there are any."""
    try:
        found = scope.resolve(config=settings)
    except CommonplaceError as error:
        return None, [broken("scope", error.message, "commonplace scope --explain")]
    text = f"{', '.join(found.scopes())} (by {found.rule}: {found.detail})"
    findings = [ok("scope", text)]
    findings += [warning("scope", each, "commonplace scope --explain") for each in found.warnings]
    return found, findings


def examine_outbox(settings: ClientConfig) -> Finding:
    """Examine what waits to be delivered."""
    box = Outbox(settings.state_dir)
    try:
        log = box.read()
    except CommonplaceError as error:
        return broken("outbox", error.message, f"ls -l {shlex.quote(box.path)}")
    waiting, refused = log.counts()
    if refused:
        text = f"{_writes(refused)} refused by the server, {waiting} waiting"
        return warning("outbox", text, "commonplace outbox")
    if log.damaged:
        text = f"{len(log.damaged)} lines of {box.path} cannot be read"
        return warning("outbox", text, "commonplace outbox")
    if waiting:
        return warning("outbox", f"{_writes(waiting)} waiting", "commonplace outbox deliver")
    return ok("outbox", "nothing waits")


def examine_cache(settings: ClientConfig, found: Resolution | None) -> Finding:
    """Examine the index kept for when the server is away."""
    folder = Path(settings.cache_dir)
    above = next((each for each in (folder, *folder.parents) if each.exists()), folder)
    if not above.is_dir() or not os.access(above, os.W_OK):
        mend = f"chmod u+rwx {shlex.quote(str(above))}"
        return warning("cache", f"{above} cannot be written; no index is kept", mend)
    if found is not None:
        key = (settings.url, found.host, found.project or "")
        last = IndexCache(settings.cache_dir).last(key, time.time())
        if last is not None:
            return ok("cache", f"the last index here was kept {age_in_words(last.age_s)}")
    return ok("cache", "no index of this folder yet; the first session keeps one")


def _writes(count: int) -> str:
    return f"{count} write{'' if count == 1 else 's'}"
