"""Options several commands share, with their completion."""

from typing import Annotated

import typer

from commonplace.clients.cli.complete import (
    complete_link_type,
    complete_name,
    complete_scope,
    complete_type,
)

NameArgument = Annotated[
    str, typer.Argument(help="Name of the memory", autocompletion=complete_name, show_default=False)
]
ScopeOption = Annotated[
    str | None,
    typer.Option(
        "--scope",
        "-s",
        metavar="SCOPE",
        help="global, host:<name>, project:<key>; 'project' and 'host' mean this session's",
        autocompletion=complete_scope,
    ),
]
ScopesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--scope",
        "-s",
        metavar="SCOPE",
        help="Only this scope; may be repeated",
        autocompletion=complete_scope,
    ),
]
TypeOption = Annotated[
    str | None,
    typer.Option(
        "--type",
        "-t",
        metavar="TYPE",
        help="user, feedback, project or reference",
        autocompletion=complete_type,
    ),
]
TypesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--type",
        "-t",
        metavar="TYPE",
        help="Only this kind: user, feedback, project or reference; may be repeated",
        autocompletion=complete_type,
    ),
]
PinOption = Annotated[
    bool | None,
    typer.Option("--pin/--no-pin", help="Show first in every index", show_default=False),
]
ExpiresOption = Annotated[
    str | None,
    typer.Option(
        "--expires", metavar="DATE", help="Day it leaves index and recall, as 2027-01-31; or never"
    ),
]
LinksOption = Annotated[
    list[str] | None,
    typer.Option(
        "--link",
        metavar="TYPE:NAME",
        help="Typed link, as builds-on:other or related-to:other@global; may be repeated",
    ),
]
LinkTypeArgument = Annotated[
    str,
    typer.Argument(
        help="related-to, builds-on, contradicts, child-of or supersedes",
        autocompletion=complete_link_type,
        show_default=False,
    ),
]
TargetArgument = Annotated[
    str,
    typer.Argument(
        help="Name of the other memory, or name@scope",
        autocompletion=complete_name,
        show_default=False,
    ),
]
LinkTypesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--type",
        "-t",
        metavar="TYPE",
        help="Only this kind of link; may be repeated",
        autocompletion=complete_link_type,
    ),
]
ExpandTypesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--expand-type",
        metavar="TYPE",
        help="Only this kind of link for --expand; may be repeated",
        autocompletion=complete_link_type,
    ),
]
ExpectedOption = Annotated[
    int | None,
    typer.Option("--expected-version", metavar="N", help="Refuse if it has moved past version N"),
]
EditorOption = Annotated[
    str,
    typer.Option("--editor", metavar="COMMAND", help="Editor to use", envvar=["VISUAL", "EDITOR"]),
]
