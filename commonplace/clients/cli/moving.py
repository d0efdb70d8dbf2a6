"""Commands that give a memory another name or scope: rename, move."""

from typing import Annotated

import typer

from commonplace.clients.cli.complete import complete_scope
from commonplace.clients.cli.group import command, make_app
from commonplace.clients.cli.options import ExpectedOption, NameArgument, ScopeOption
from commonplace.clients.cli.session import Session
from commonplace.clients.cli.writing import show_written

app = make_app()


@command(
    app,
    "rename",
    "commonplace rename db-port test-db-port",
    "commonplace rename db-port test-db-port --to-scope global",
)
def rename(
    ctx: typer.Context,
    name: NameArgument,
    to_name: Annotated[str, typer.Argument(help="New name")],
    scope: ScopeOption = None,
    to_scope: Annotated[
        str | None,
        typer.Option(
            "--to-scope", metavar="SCOPE", help="New scope", autocompletion=complete_scope
        ),
    ] = None,
    expected_version: ExpectedOption = None,
) -> None:
    """Give a memory another name; history and links go along."""
    session = Session.of(ctx)
    reply = session.call_named(
        "rename",
        name,
        scope,
        to_name=to_name,
        to_scope=None if to_scope is None else session.scope(to_scope),
        expected_version=expected_version,
    )
    show_written(session, reply, was=name)


@command(
    app, "move", "commonplace move style-notes global", "commonplace move db-port project -s global"
)
def move(
    ctx: typer.Context,
    name: NameArgument,
    to_scope: Annotated[
        str, typer.Argument(help="Scope to move it to", autocompletion=complete_scope)
    ],
    scope: ScopeOption = None,
    expected_version: ExpectedOption = None,
) -> None:
    """Move a memory to another scope; history and links go along."""
    session = Session.of(ctx)
    reply = session.call_named(
        "rename", name, scope, to_scope=session.scope(to_scope), expected_version=expected_version
    )
    show_written(session, reply, was=name)
