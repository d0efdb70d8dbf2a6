"""Commands that look after the server's store: reindex."""

import sys
from typing import Annotated

import typer

from commonplace.clients.cli import views
from commonplace.clients.cli.group import command, make_app
from commonplace.clients.cli.session import Reply, Session

app = make_app()

_STEP_S = 1
# The first answer may have to wait until the server has loaded its model.
_BEGIN_S = 60.0


@command(app, "reindex", "commonplace reindex", "commonplace reindex --no-wait")
def reindex(
    ctx: typer.Context,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Stay until it is done; it goes on anyway")
    ] = True,
) -> None:
    """Make the words and vectors that memories are found by again, from the memories themselves.

    The server goes on serving. Stopped half-way, it goes on by itself at the next start, or when
    called again. It is also the way to another model.
    """
    session = Session.of(ctx)
    reply = session.call("reindex", timeout_s=_BEGIN_S)
    if wait and reply["running"]:
        reply = _followed(session, reply)
    session.out.show(reply, views.reindex(reply))


def _followed(session: Session, reply: Reply) -> Reply:
    """Show how far it is until it is done, or until vectors cannot be made."""
    with typer.progressbar(  # pyright: ignore[reportUnknownMemberType]
        length=2 * reply["memories"], label="reindex", file=sys.stderr
    ) as bar:
        while True:
            bar.update(reply["words"] + reply["vectors"] - bar.pos)
            stuck = reply["words"] == reply["memories"] and reply["meaning"].startswith("off")
            if not reply["running"] or stuck:
                return reply
            reply = session.call("reindex", start=False, wait_s=_STEP_S)
