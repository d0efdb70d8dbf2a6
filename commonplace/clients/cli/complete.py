"""What the shell offers for scopes, names and types; the server is asked briefly, if at all."""

import typer

from commonplace.clients.cli.session import Session
from commonplace.domain.memory import LINK_TYPES, TYPES

_PATIENCE_S = 0.7
_MOST = 1000


def complete_type(incomplete: str) -> list[str]:
    """Return the types that begin so."""
    return [name for name in TYPES if name.startswith(incomplete)]


def complete_link_type(incomplete: str) -> list[str]:
    """Return the link types that begin so."""
    return [name for name in LINK_TYPES if name.startswith(incomplete)]


def complete_scope(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the scopes that begin so: the short words, this session's, and the server's."""
    try:
        session = Session.of(ctx)
        found = ["project", "host", *session.scopes]
        reply = session.call("list_scopes", timeout_s=_PATIENCE_S)
        found += [row["scope"] for row in reply["scopes"]]
    except Exception:  # noqa: BLE001 - a shell in the middle of a line must not be written to
        found = ["project", "host", "global"]
    return [scope for scope in dict.fromkeys(found) if scope.startswith(incomplete)]


def complete_name(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Return the names that begin so, with descriptions, of the scope given or this session's."""
    try:
        session = Session.of(ctx)
        given = ctx.params.get("scope")
        scopes = [session.scope(given)] if isinstance(given, str) else list(session.scopes)
        reply = session.call("list", timeout_s=_PATIENCE_S, scopes=scopes, limit=_MOST)
    except Exception:  # noqa: BLE001 - a shell in the middle of a line must not be written to
        return []
    found = {row["name"]: row["description"] for row in reply["memories"]}
    return [(name, text) for name, text in found.items() if name.startswith(incomplete)]
