"""The order of an examination: settings first, since all else stands on them."""

from __future__ import annotations

import time
from collections.abc import Iterator

from commonplace.clients.config import ClientConfig
from commonplace.clients.connect.machine import link, this_machine
from commonplace.clients.doctor import agents, place, server, settings
from commonplace.clients.doctor.base import Finding, broken
from commonplace.errors import CommonplaceError


def examine(loaded: ClientConfig) -> Iterator[Finding]:
    """Examine everything from the settings to the agents, one finding at a time."""
    yield from settings.examine(loaded)
    found, findings = place.examine_scope(loaded)
    yield from findings
    yield from server.examine(loaded, time.time())
    yield place.examine_outbox(loaded)
    yield place.examine_cache(loaded, found)
    try:
        target = link(loaded)
    except CommonplaceError as error:
        yield broken("agents", error.message, "pip install --force-reinstall commonplace-memory")
        return
    yield from agents.examine(this_machine(loaded), target)
