"""Commands that find: recall, index."""

import time
from typing import Annotated

import typer

from commonplace.clients.cli import views
from commonplace.clients.cli.group import command, make_app
from commonplace.clients.cli.options import ExpandTypesOption, ScopesOption, TypesOption
from commonplace.clients.cli.session import Session

app = make_app()


@command(
    app,
    "recall",
    "commonplace recall postgres port for tests",
    "commonplace recall deploy -s project -t feedback --limit 3 --explain",
)
def recall(  # noqa: PLR0913 - one parameter an option
    ctx: typer.Context,
    query: Annotated[list[str], typer.Argument(help="Words or a question, in any language")],
    scope: ScopesOption = None,
    kind: TypesOption = None,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many")] = 10,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold", metavar="COSINE", help="Leave out what is less similar, -1 to 1"
        ),
    ] = None,
    expand: Annotated[
        str | None, typer.Option("--expand", metavar="HOW", help="Follow links: one-hop or parents")
    ] = None,
    expand_type: ExpandTypesOption = None,
    superseded: Annotated[
        bool, typer.Option("--superseded", help="Also superseded memories")
    ] = False,
    expired: Annotated[bool, typer.Option("--expired", help="Also expired memories")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the parts of each score")
    ] = False,
) -> None:
    """Search all memories, or only some scopes; best first."""
    session = Session.of(ctx)
    reply = session.call(
        "recall",
        query=" ".join(query),
        scopes=[session.scope(text) for text in scope] if scope else None,
        types=kind,
        limit=limit,
        threshold=threshold,
        expand=expand,
        expand_types=expand_type,
        include_superseded=superseded or None,
        include_expired=expired or None,
    )
    out = session.out
    out.show(reply, views.matches(reply, out.style, time.time(), explain=explain))
    if not out.as_json:
        notes = list(reply.get("notes", ()))
        for note in notes if reply["matches"] else [*notes, "nothing found; try other words"]:
            out.note(note)


@command(
    app, "index", "commonplace index", "commonplace index --budget 3000", "commonplace index --hook"
)
def index(
    ctx: typer.Context,
    budget: Annotated[
        int | None, typer.Option("--budget", metavar="N", help="Most characters and bytes of text")
    ] = None,
    _hook: Annotated[
        bool,
        typer.Option(
            "--hook",
            help="Print the envelope an agent's session-start hook expects, and nothing else",
            expose_value=False,
        ),
    ] = False,
) -> None:
    """Print the index an agent is shown at the start of a session in this folder."""
    session = Session.of(ctx)
    reply = session.call(
        "index", project=session.resolution.project, host=session.config.host, budget=budget
    )
    session.out.show(reply, reply["text"])
