"""Commands that read by name: get, list, history."""

import time
from typing import Annotated

import typer

from commonplace.clients.cli import views
from commonplace.clients.cli.group import command, make_app
from commonplace.clients.cli.options import NameArgument, ScopeOption, ScopesOption, TypesOption
from commonplace.clients.cli.session import Reply, Session

app = make_app()


@command(
    app,
    "get",
    "commonplace get test-db-port",
    "commonplace get release-steps --version 2",
    "commonplace get release-steps --body > steps.md",
)
def get(
    ctx: typer.Context,
    name: NameArgument,
    version: Annotated[
        int | None, typer.Option("--version", "-V", metavar="N", help="An older version")
    ] = None,
    scope: ScopeOption = None,
    body: Annotated[
        bool, typer.Option("--body", "--raw", help="Only the body, byte for byte when piped")
    ] = False,
) -> None:
    """Show one memory whole.

    Without --scope it is looked for in this session's project, then its host, then global; the
    narrowest that holds the name wins, and stderr says which.
    """
    session = Session.of(ctx)
    reply = session.call_named("get", name, scope, version=version)
    if body and not session.out.as_json:
        session.out.exact(reply["body"])
    else:
        session.out.show(reply, views.memory(reply, session.out.style, time.time()))


@command(
    app,
    "list",
    "commonplace list",
    "commonplace list --scope global --type user",
    "commonplace list -a",
)
def list_memories(
    ctx: typer.Context,
    scope: ScopesOption = None,
    kind: TypesOption = None,
    everything: Annotated[bool, typer.Option("--all", "-a", help="All scopes there are")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many")] = 200,
) -> None:
    """List memories, one line each: those of this session's scopes, unless told otherwise."""
    session = Session.of(ctx)
    places = [session.scope(text) for text in scope] if scope else list(session.scopes)
    reply = session.call("list", scopes=None if everything else places, types=kind, limit=limit)
    out = session.out
    out.show(reply, views.table(reply["memories"], out.style, time.time(), out.width))
    shown = len(reply["memories"])
    if not out.as_json and not shown:
        out.note(f"nothing in {'any scope' if everything else ', '.join(places)}")
    elif not out.as_json and shown < reply["total"]:
        out.note(f"{shown} of {reply['total']} shown; --limit {reply['total']} shows all")


@command(
    app, "history", "commonplace history test-db-port", "commonplace history test-db-port --diff"
)
def history(
    ctx: typer.Context,
    name: NameArgument,
    scope: ScopeOption = None,
    diff: Annotated[bool, typer.Option("--diff", "-d", help="Show what changed")] = False,
) -> None:
    """Show every version of a memory: who wrote it, when, and what it changed."""
    session = Session.of(ctx)
    reply = session.call_named("history", name, scope, fits=_lives)
    session.out.show(reply, views.history(reply, session.out.style, time.time(), diff=diff))


def _lives(reply: Reply) -> bool:
    versions = reply["versions"]
    return bool(versions) and not versions[-1].get("deleted_at")
