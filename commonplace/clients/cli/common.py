"""The options every command takes, before the command's name or after it."""

from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.main import get_command

from commonplace.clients.cli.session import globals_of, output

_SHOWN_EVERYWHERE = {"--json", "--help"}


def _keep(name: str) -> Callable[..., Any]:
    def keep(ctx: typer.Context, value: str | None) -> str | None:
        if value is not None:
            globals_of(ctx).settings[name] = value
        return value

    return keep


def _keep_json(ctx: typer.Context, value: bool) -> bool:
    globals_of(ctx).as_json |= value
    return value


def _keep_no_queue(ctx: typer.Context, value: bool) -> bool:
    globals_of(ctx).no_queue |= value
    return value


def _keep_no_color(ctx: typer.Context, value: bool) -> bool:
    globals_of(ctx).no_color |= value
    return value


def _show_help(ctx: typer.Context, value: bool) -> bool:
    # Not typer's own help option: the value of that one is read with pydantic, see values.py.
    if value and not ctx.resilient_parsing:
        output(globals_of(ctx)).text(ctx.get_help())
        raise typer.Exit
    return value


def _setting(flag: str, metavar: str, text: str) -> Any:
    name = {"--config": "config_path"}.get(flag, flag.lstrip("-").replace("-", "_"))
    return typer.Option(flag, metavar=metavar, help=text, callback=_keep(name), expose_value=False)


def _flag(*flags: str, text: str, callback: Callable[..., Any]) -> Any:
    return typer.Option(
        *flags, help=text, callback=callback, expose_value=False, is_eager="--help" in flags
    )


def _declare(
    _json: Annotated[
        bool, _flag("--json", text="Print one JSON value", callback=_keep_json)
    ] = False,
    _project: Annotated[
        str | None, _setting("--project", "KEY", "Project, host/owner/repo, not this folder's")
    ] = None,
    _url: Annotated[str | None, _setting("--url", "URL", "Where the server is")] = None,
    _host: Annotated[str | None, _setting("--host", "NAME", "Name of this machine")] = None,
    _agent: Annotated[str | None, _setting("--agent", "NAME", "Who writes")] = None,
    _token_file: Annotated[
        str | None, _setting("--token-file", "FILE", "File that holds the token")
    ] = None,
    _token: Annotated[
        str | None, _setting("--token", "TOKEN", "The token; others on this machine can see it")
    ] = None,
    _proxy: Annotated[str | None, _setting("--proxy", "URL", "HTTP proxy to use")] = None,
    _timeout: Annotated[
        str | None, _setting("--timeout", "SECONDS", "Longest a call may take")
    ] = None,
    _config: Annotated[str | None, _setting("--config", "FILE", "Config file to read")] = None,
    _no_queue: Annotated[
        bool,
        _flag(
            "--no-queue",
            text="Refuse a write the server cannot take now, instead of queueing it",
            callback=_keep_no_queue,
        ),
    ] = False,
    _no_color: Annotated[
        bool, _flag("--no-color", text="No colour; so does NO_COLOR", callback=_keep_no_color)
    ] = False,
    _help: Annotated[
        bool, _flag("-h", "--help", text="Show this help", callback=_show_help)
    ] = False,
) -> None:
    """Hold the options; never called."""


def options(*, hide_rare: bool) -> list[Any]:
    """Return fresh copies of the options; the rare ones may be kept out of a command's help."""
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command()(_declare)
    params: list[Any] = get_command(app).params
    for param in params:
        param.hidden = hide_rare and not _SHOWN_EVERYWHERE.intersection(param.opts)
    return params
