"""Commands that write: remember, update, forget, restore, pin, unpin."""

from typing import Annotated, Any

import typer

from commonplace.clients.cli import views
from commonplace.clients.cli.document import Document, read_link
from commonplace.clients.cli.editor import UNCHANGED, edit_document
from commonplace.clients.cli.given import body_text
from commonplace.clients.cli.group import command, make_app
from commonplace.clients.cli.options import (
    EditorOption,
    ExpectedOption,
    ExpiresOption,
    LinksOption,
    NameArgument,
    PinOption,
    ScopeOption,
    TypeOption,
)
from commonplace.clients.cli.session import Reply, Session
from commonplace.domain.scope import GLOBAL

app = make_app()


@command(
    app,
    "remember",
    'commonplace remember test-db-port "Tests need Postgres on 5433"',
    'git log -5 | commonplace remember release-steps "How a release is made" -',
    "commonplace remember style-notes --edit --scope global --type user",
)
def remember(  # noqa: PLR0913 - one parameter an option
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Short slug, such as build-cache-path")],
    description: Annotated[str, typer.Argument(help="The fact in one line")] = "",
    body: Annotated[
        str | None, typer.Argument(help="Markdown; - reads standard input, as does a pipe")
    ] = None,
    scope: ScopeOption = None,
    kind: TypeOption = None,
    pin: PinOption = None,
    expires: ExpiresOption = None,
    link: LinksOption = None,
    edit: Annotated[bool, typer.Option("--edit", "-e", help="Write it in an editor")] = False,
    editor: EditorOption = "vi",
) -> None:
    """Save a new fact.

    It goes to this session's project, or to global where there is no project, unless --scope says
    otherwise; the answer tells where it went.
    """
    session = Session.of(ctx)
    place = session.scope(scope) if scope is not None else session.project or GLOBAL
    document = Document(
        description=description,
        body=("" if edit and body is None else body_text(body, session.out)) or "",
        type=kind or "reference",
        pinned=bool(pin),
        expires=expires or "",
        links=tuple(read_link(text) for text in link or ()),
    )

    def save(wanted: Document) -> Reply:
        return session.call("remember", scope=place, name=name, **_fields(wanted))

    reply = edit_document(session, editor, name, document, save) if edit else save(document)
    show_written(session, reply)


@command(
    app,
    "update",
    'commonplace update test-db-port --description "Tests need Postgres on 5434"',
    "commonplace update release-steps --body - < steps.md",
    "commonplace update style-notes --pin --expires never",
)
def update(  # noqa: PLR0913 - one parameter an option
    ctx: typer.Context,
    name: NameArgument,
    description: Annotated[str | None, typer.Option("--description", "-d", help="New line")] = None,
    body: Annotated[
        str | None, typer.Option("--body", "-b", help="New body, whole; - reads standard input")
    ] = None,
    scope: ScopeOption = None,
    kind: TypeOption = None,
    pin: PinOption = None,
    expires: ExpiresOption = None,
    link: LinksOption = None,
    no_links: Annotated[bool, typer.Option("--no-links", help="Take all typed links away")] = False,
    expected_version: ExpectedOption = None,
) -> None:
    """Change a memory; what is not given stays as it is, and the old version is kept."""
    session = Session.of(ctx)
    fields: dict[str, Any] = {
        "description": description,
        "body": None if body is None else body_text(body, session.out),
        "type": kind,
        "pinned": pin,
        "expires": expires,
        "links": [] if no_links else [read_link(text).spec() for text in link] if link else None,
    }
    if all(value is None for value in fields.values()):
        raise typer.BadParameter(
            "nothing to change; give --description, --body, --type, …", ctx=ctx
        )
    show_written(
        session,
        session.call_named("update", name, scope, expected_version=expected_version, **fields),
    )


@command(app, "forget", "commonplace forget test-db-port", "commonplace forget old-note -s global")
def forget(
    ctx: typer.Context,
    name: NameArgument,
    scope: ScopeOption = None,
    expected_version: ExpectedOption = None,
) -> None:
    """Hide a memory; `restore` brings it back."""
    session = Session.of(ctx)
    reply = session.call_named("forget", name, scope, expected_version=expected_version)
    show_written(session, reply)


@command(
    app,
    "restore",
    "commonplace restore test-db-port",
    "commonplace restore test-db-port --version 1",
)
def restore(
    ctx: typer.Context,
    name: NameArgument,
    version: Annotated[
        int | None, typer.Option("--version", "-V", metavar="N", help="Version to go back to")
    ] = None,
    scope: ScopeOption = None,
    expected_version: ExpectedOption = None,
) -> None:
    """Bring back a forgotten memory, or an older version, as a new version."""
    session = Session.of(ctx)
    reply = session.call_named(
        "restore", name, scope, version=version, expected_version=expected_version
    )
    show_written(session, reply)


@command(app, "pin", "commonplace pin style-notes", "commonplace pin db-port --scope global")
def pin(ctx: typer.Context, name: NameArgument, scope: ScopeOption = None) -> None:
    """Show a memory first in every index of its scope."""
    _set_pinned(ctx, name, scope, pinned=True)


@command(app, "unpin", "commonplace unpin style-notes")
def unpin(ctx: typer.Context, name: NameArgument, scope: ScopeOption = None) -> None:
    """Let a memory take its usual place in the index again."""
    _set_pinned(ctx, name, scope, pinned=False)


def _set_pinned(ctx: typer.Context, name: str, scope: str | None, *, pinned: bool) -> None:
    session = Session.of(ctx)
    show_written(session, session.call_named("update", name, scope, pinned=pinned))


def show_written(session: Session, reply: Reply, was: str = "") -> None:
    """Print what a write did (to a memory that `was` named so); similar ones go to stderr."""
    if reply.get("action") == UNCHANGED:
        session.out.show(reply, "")
        return
    if reply.get("queued"):
        session.out.show(reply, views.queued(reply, session.out.style))
        return
    session.out.show(reply, views.written(reply, session.out.style, was))
    if not session.out.as_json and reply.get("similar"):
        session.out.note(views.similar(reply))


def _fields(document: Document) -> dict[str, Any]:
    return {
        "description": document.description,
        "body": document.body,
        "type": document.type,
        "pinned": document.pinned or None,
        "expires": document.expires or None,
        "links": [link.spec() for link in document.links] or None,
    }
