"""Commands about scopes: scope, scopes, alias."""

import time
from typing import Annotated

import typer

from commonplace.clients.cli import views
from commonplace.clients.cli.complete import complete_scope
from commonplace.clients.cli.group import command, make_app
from commonplace.clients.cli.session import Session
from commonplace.domain.text import one_line

app = make_app()


@command(app, "scope", "commonplace scope", "commonplace scope --explain")
def scope(
    ctx: typer.Context,
    explain: Annotated[bool, typer.Option("--explain", help="Say how it was found")] = False,
) -> None:
    """Show this session's scopes, narrowest first; the server is not asked."""
    session = Session.of(ctx)
    found = session.resolution
    value = {
        "scopes": list(session.scopes),
        "project": found.project,
        "host": session.config.host,
        "rule": found.rule,
        "detail": found.detail,
        "warnings": list(found.warnings),
    }
    lines = [one_line(place) for place in session.scopes]
    if explain:
        lines += ["", f"project: {one_line(found.project or 'none')}"]
        lines += [f"rule:    {one_line(found.rule)}", f"detail:  {one_line(found.detail)}"]
        lines += [f"host:    {session.config.host} (from {session.config.sources['host']})"]
    session.out.show(value, "\n".join(lines))
    for warning in () if session.out.as_json else found.warnings:
        session.out.note(f"warning: {warning}")


@command(app, "scopes", "commonplace scopes")
def scopes(ctx: typer.Context) -> None:
    """List every scope the server holds; > marks this session's."""
    session = Session.of(ctx)
    reply = session.call("list_scopes")
    session.out.show(reply, views.scopes(reply, session.out.style, time.time(), session.scopes))


@command(
    app,
    "alias",
    "commonplace alias project:github.com/acme/old project:github.com/acme/new",
    "commonplace alias host:old-laptop host:new-laptop --apply",
)
def alias(
    ctx: typer.Context,
    old: Annotated[str, typer.Argument(help="Scope as it was", autocompletion=complete_scope)],
    new: Annotated[str, typer.Argument(help="Scope it is now", autocompletion=complete_scope)],
    apply: Annotated[bool, typer.Option("--apply", help="Do it; without, only show it")] = False,
) -> None:
    """Join a renamed repository's or machine's scope to its new name; first without --apply."""
    session = Session.of(ctx)
    reply = session.call(
        "alias_scope",
        old=session.scope(old),
        new=session.scope(new),
        dry_run=not apply,
        agent=session.config.agent,
    )
    session.out.show(reply, views.alias(reply))
    if not apply and not session.out.as_json:
        session.out.note("nothing was changed yet; add --apply to do it")
