"""Commands about the server: serve, call, stats."""

import importlib.util
import json
import os
import sys
import time
from typing import Annotated, Any, cast

import typer

from commonplace.clients.cli import views
from commonplace.clients.cli.given import read_stdin
from commonplace.clients.cli.group import command, make_app
from commonplace.clients.cli.session import Session, globals_of
from commonplace.errors import Invalid

app = make_app()
_SERVER_PARTS = ("fastmcp", "uvicorn", "apsw", "sqlite_vec")


@command(
    app,
    "serve",
    "commonplace serve --http",
    "commonplace serve --http --host 100.101.102.103 --port 9322 --db ~/memory.db",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def serve(
    ctx: typer.Context,
    http: Annotated[bool, typer.Option("--http", help="Serve MCP and JSON over HTTP")] = False,
    host: Annotated[str | None, typer.Option("--host", metavar="ADDRESS", help="Listen on")] = None,
    port: Annotated[int | None, typer.Option("--port", metavar="N", help="Port; 0 is any")] = None,
    db: Annotated[str | None, typer.Option("--db", metavar="FILE", help="Store's file")] = None,
) -> None:
    """Run the server; needs the package's server part.

    Options not named here go to the server as they are.
    """
    missing = [part for part in _SERVER_PARTS if importlib.util.find_spec(part) is None]
    if missing:
        raise typer.BadParameter(
            f"the server part is not installed ({', '.join(missing)} missing); install it with:"
            " pip install 'commonplace-memory[server]'",
            ctx=ctx,
        )
    given: dict[str, Any] = {"--host": host, "--port": port, "--db": db}
    words = ["--http"] if http else []
    words += [
        text for flag, held in given.items() if held is not None for text in (flag, str(held))
    ]
    # -P keeps a folder or file of the same name in the current directory from being run instead.
    line = [sys.executable, "-P", "-m", "commonplace.server", *words, *ctx.args]
    sys.stdout.flush()
    os.execv(sys.executable, line)  # noqa: S606 - our own interpreter, no shell


@command(
    app,
    "call",
    'commonplace call recall \'{"query": "postgres", "limit": 3}\'',
    "echo '{}' | commonplace call list_scopes -",
)
def call(
    ctx: typer.Context,
    operation: Annotated[str, typer.Argument(help="One of `commonplace help operations`")],
    arguments: Annotated[
        str, typer.Argument(help="JSON object; - reads standard input", metavar="JSON")
    ] = "{}",
) -> None:
    """Call an operation with JSON and print its reply as JSON; for scripts and extensions."""
    globals_of(ctx).as_json = True
    session = Session.of(ctx)
    text = read_stdin(session.out) if arguments == "-" else arguments
    try:
        given: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"the arguments are not JSON: {error}; give an object as {{}}") from None
    if not isinstance(given, dict):
        raise Invalid("the arguments must be a JSON object, such as {}")
    session.out.json(session.ask(operation, cast("dict[str, Any]", given)))


@command(app, "stats", "commonplace stats", "commonplace stats --never-read")
def stats(
    ctx: typer.Context,
    never_read: Annotated[
        bool, typer.Option("--never-read", help="Also list what nobody has read yet")
    ] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many")] = 50,
) -> None:
    """Count what the server holds."""
    session = Session.of(ctx)
    out = session.out
    reply = session.call("stats", never_read=never_read or None, limit=limit)
    out.show(reply, views.stats(reply, out.style, time.time(), out.width))
