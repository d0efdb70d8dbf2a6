"""The command `edit`: saves what an editor gives back, unless somebody else was quicker."""

from pathlib import Path
from typing import Annotated, Any

import typer

from commonplace.clients.cli.document import Document, Link
from commonplace.clients.cli.editor import edit_document
from commonplace.clients.cli.group import command, make_app
from commonplace.clients.cli.options import EditorOption, NameArgument, ScopeOption
from commonplace.clients.cli.session import Reply, Session
from commonplace.clients.cli.writing import show_written
from commonplace.errors import Invalid

app = make_app()


@command(
    app, "edit", "commonplace edit release-steps", 'commonplace edit style-notes --editor "code -w"'
)
def edit(
    ctx: typer.Context,
    name: NameArgument,
    scope: ScopeOption = None,
    editor: EditorOption = "vi",
    start: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Begin from a kept text")
    ] = None,
) -> None:
    """Edit a memory as a text file.

    Above the body stands a header with description, type, pin, expiry and links. If the memory
    changed meanwhile, nothing is overwritten: your text is kept in a file, and you are told where.
    """
    session = Session.of(ctx)
    current = session.call_named("get", name, scope)
    before = document_of(current)

    def save(wanted: Document) -> Reply:
        changes: dict[str, Any] = before.changes(wanted)
        return session.call(
            "update",
            name=current["name"],
            scope=current["scope"],
            expected_version=current["version"],
            **changes,
        )

    text = None if start is None else _kept(start)
    show_written(session, edit_document(session, editor, current["name"], before, save, text))


def document_of(reply: dict[str, Any]) -> Document:
    """Return what a person may edit of a memory; links within its scope are shown without it."""
    scope = reply["scope"]
    return Document(
        description=reply["description"],
        body=reply["body"],
        type=reply["type"],
        pinned=reply["pinned"],
        expires=reply.get("expires_at") or "",
        links=tuple(
            Link(link["type"], link["name"], None if link["scope"] == scope else link["scope"])
            for link in reply.get("links", ())
            if link["origin"] == "authored"
        ),
    )


def _kept(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise Invalid(f"cannot read {path}: {error.strerror}; name another file") from None
    except UnicodeDecodeError as error:
        raise Invalid(f"{path} is not UTF-8 at byte {error.start}; save it as UTF-8") from None
