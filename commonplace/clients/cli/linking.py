"""Commands about links: link, unlink, graph, path."""

from typing import Annotated, Any

import typer

from commonplace.clients.cli import diagrams, tree, views
from commonplace.clients.cli.group import command, make_app
from commonplace.clients.cli.options import (
    LinkTypeArgument,
    LinkTypesOption,
    NameArgument,
    ScopeOption,
    TargetArgument,
)
from commonplace.clients.cli.session import Reply, Session

app = make_app()
_FORMATS = ("tree", "mermaid", "dot", "json")


@command(
    app,
    "link",
    "commonplace link db-port-2027 supersedes db-port",
    "commonplace link release-steps builds-on style-notes@global",
)
def link(
    ctx: typer.Context,
    name: NameArgument,
    kind: LinkTypeArgument,
    target: TargetArgument,
    scope: ScopeOption = None,
) -> None:
    """Link a memory to another; its text stays as it is, and no version is made.

    The other is looked for in the first one's scope, then in global; it may not exist yet.
    `supersedes` hides the other from index and recall.
    """
    _change(ctx, "link", name, scope, kind, target)


@command(app, "unlink", "commonplace unlink db-port-2027 supersedes db-port")
def unlink(
    ctx: typer.Context,
    name: NameArgument,
    kind: LinkTypeArgument,
    target: TargetArgument,
    scope: ScopeOption = None,
) -> None:
    """Take a link away again; one that is not there is no failure."""
    _change(ctx, "unlink", name, scope, kind, target)


@command(
    app,
    "graph",
    "commonplace graph release-steps",
    "commonplace graph release-steps --depth 3 --direction out -t builds-on",
    "commonplace graph release-steps --format mermaid > steps.mmd",
)
def graph(  # noqa: PLR0913 - one parameter an option
    ctx: typer.Context,
    name: NameArgument,
    depth: Annotated[int, typer.Option("--depth", "-d", metavar="N", help="Steps, 1 to 10")] = 2,
    direction: Annotated[
        str, typer.Option("--direction", metavar="WAY", help="out, in or both")
    ] = "both",
    kind: LinkTypesOption = None,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="Most memories")] = 200,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="FORM", help="tree, mermaid, dot or json")
    ] = "tree",
    scope: ScopeOption = None,
) -> None:
    """Draw the memories around one: a tree for the terminal, or a diagram's source."""
    if form not in _FORMATS:
        raise typer.BadParameter(f"--format must be one of {', '.join(_FORMATS)}", ctx=ctx)
    session = Session.of(ctx)
    reply = session.call_named(
        "graph", name, scope, depth=depth, direction=direction, types=kind, limit=limit
    )
    out = session.out
    if form == "json":
        out.json(reply)
    else:
        out.show(reply, _drawn(reply, form, session))
    if not out.as_json and form != "json":
        for note in _left_out(reply):
            out.note(note)


@command(
    app,
    "path",
    "commonplace path release-steps test-db-port",
    "commonplace path release-steps style-notes@global --max-depth 3",
)
def path(
    ctx: typer.Context,
    name: NameArgument,
    target: TargetArgument,
    max_depth: Annotated[
        int, typer.Option("--max-depth", "-d", metavar="N", help="Most links, 1 to 20")
    ] = 6,
    kind: LinkTypesOption = None,
    scope: ScopeOption = None,
) -> None:
    """Show the shortest chain of links that leads from one memory to another."""
    session = Session.of(ctx)
    reply = session.call_named(
        "path", name, scope, max_depth=max_depth, types=kind, **_target(session, target)
    )
    session.out.show(reply, tree.chain(reply, session.out.style))
    if reply.get("path") is None and not session.out.as_json:
        why = {
            "unreachable": "no links lead there",
            "depth-exceeded": "only a longer chain may lead there; raise --max-depth",
        }
        session.out.note(f"no path: {why.get(reply['reason'], reply['reason'])}")


def _change(
    ctx: typer.Context, operation: str, name: str, scope: str | None, kind: str, target: str
) -> None:
    session = Session.of(ctx)
    reply = session.call_named(
        operation,
        name,
        scope,
        type=kind,
        agent=session.config.agent,
        **_target(session, target),
    )
    out = session.out
    out.show(reply, views.linked(reply, out.style))
    for warning in () if out.as_json else reply["warnings"]:
        out.note(warning)


def _target(session: Session, text: str) -> dict[str, Any]:
    name, at, scope = text.partition("@")
    return {"to_name": name, "to_scope": session.scope(scope) if at else None}


def _drawn(reply: Reply, form: str, session: Session) -> str:
    if form == "tree":
        return tree.draw(reply, session.out.style, session.out.width)
    return diagrams.mermaid(reply) if form == "mermaid" else diagrams.dot(reply)


def _left_out(reply: Reply) -> list[str]:
    least = "at least " if reply["at_least"] else ""
    notes: list[str] = []
    if reply["left_out"]:
        notes.append(f"{least}{reply['left_out']} memories left out; raise --limit")
    if reply["beyond"]:
        notes.append(f"{least}{reply['beyond']} more lie one step deeper; raise --depth")
    return notes
