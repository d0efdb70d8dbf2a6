"""The command tree: which module holds which command, loaded when it is called."""

import importlib
from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group

from commonplace import __version__
from commonplace.clients.cli.session import globals_of

# A command's module is imported only when the command is called: building all of them costs more
# than a call to the server.
COMMANDS = {
    "remember": "writing",
    "update": "writing",
    "edit": "editing",
    "forget": "writing",
    "restore": "writing",
    "rename": "moving",
    "move": "moving",
    "get": "reading",
    "recall": "searching",
    "list": "reading",
    "history": "reading",
    "index": "searching",
    "scope": "scoping",
    "scopes": "scoping",
    "alias": "scoping",
    "stats": "serving",
    "call": "serving",
    "config": "configuring",
    "serve": "serving",
    "help": "helping",
}

Function = TypeVar("Function", bound=Callable[..., Any])


class LazyGroup(TyperGroup):
    """The root command; knows every name and builds only what is asked for."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # pyright: ignore
        """Return all command names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: typer.Context, cmd_name: str) -> Any:  # pyright: ignore
        """Return one command, importing its module on first use."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            self._load(COMMANDS[cmd_name])
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> Any:  # pyright: ignore
        """Resolve as usual; a name that is not known is compared with all there are."""
        if args and args[0] not in COMMANDS:
            for module in dict.fromkeys(COMMANDS.values()):
                self._load(module)
        return super().resolve_command(ctx, args)

    def _load(self, module: str) -> None:
        loaded = importlib.import_module(f"commonplace.clients.cli.{module}")
        built = get_group(loaded.app)
        for name, command in built.commands.items():
            if not command.context_settings.get("ignore_unknown_options"):
                taken = {option for param in command.params for option in param.opts}
                command.params += [
                    param for param in _shared() if not taken.intersection(param.opts)
                ]
            self.commands[name] = command


def make_app() -> typer.Typer:
    """Return an empty app for one module's commands."""
    return typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


def command(
    app: typer.Typer, name: str, *examples: str, **settings: Any
) -> Callable[[Function], Function]:
    """Add a command whose help ends with examples."""

    def add(function: Function) -> Function:
        shown = "\n".join(f"  {example}" for example in examples)
        doc = (function.__doc__ or "").strip()
        text = "\n".join(line.strip() for line in doc.splitlines())
        app.command(name, help=f"{text}\n\n\b\nExamples:\n{shown}", **settings)(function)
        return function

    return add


def _keep(name: str) -> Callable[..., Any]:
    def keep(ctx: typer.Context, value: str | None) -> str | None:
        if value is not None:
            globals_of(ctx).settings[name] = value
        return value

    return keep


def _keep_json(ctx: typer.Context, value: bool) -> bool:  # noqa: FBT001 - typer calls it
    globals_of(ctx).as_json |= value
    return value


def _keep_no_color(ctx: typer.Context, value: bool) -> bool:  # noqa: FBT001 - typer calls it
    globals_of(ctx).no_color |= value
    return value


def _setting(flag: str, name: str, metavar: str, text: str) -> Any:
    return typer.Option(
        None, flag, metavar=metavar, help=text, callback=_keep(name), expose_value=False
    )


def global_options(
    _json: bool = typer.Option(
        False, "--json", help="Print one JSON value", callback=_keep_json, expose_value=False
    ),
    _project: str | None = _setting(
        "--project", "project", "KEY", "Project key, host/owner/repo, instead of this folder's"
    ),
    _url: str | None = _setting("--url", "url", "URL", "Where the server is"),
    _host: str | None = _setting("--host", "host", "NAME", "Name of this machine"),
    _agent: str | None = _setting("--agent", "agent", "NAME", "Who writes"),
    _token_file: str | None = _setting("--token-file", "token_file", "FILE", "File with the token"),
    _token: str | None = _setting(
        "--token", "token", "TOKEN", "The token itself; others on this machine can see it"
    ),
    _proxy: str | None = _setting("--proxy", "proxy", "URL", "HTTP proxy to use"),
    _timeout: str | None = _setting("--timeout", "timeout", "SECONDS", "Longest a call may take"),
    _config: str | None = _setting("--config", "config_path", "FILE", "Config file to read"),
    _no_color: bool = typer.Option(
        False, "--no-color", help="No colour", callback=_keep_no_color, expose_value=False
    ),
) -> None:
    """Hold the options every command takes."""


def _show_version(value: bool) -> None:  # noqa: FBT001 - typer calls it
    if value:
        typer.echo(f"commonplace {__version__}")
        raise typer.Exit


def _root(
    ctx: typer.Context,
    _version: bool = typer.Option(
        False, "--version", help="Show the version", is_eager=True, callback=_show_version,
        expose_value=False,
    ),
) -> None:
    """One memory for every coding agent on every machine.

    Global options may stand before or after the command. `commonplace help` lists settings,
    operations, error codes and exit codes.
    """
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def _shared() -> list[Any]:
    """Return fresh copies of the global options for one command; help shows --json alone."""
    app = make_app()
    app.command()(global_options)
    params: list[Any] = get_command(app).params
    for param in params:
        param.hidden = "--json" not in param.opts
    return params


def build() -> TyperGroup:
    """Return the root command."""
    app = typer.Typer(
        cls=LazyGroup,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_root)
    root = get_command(app)
    for param in _shared():
        param.hidden = False
        root.params.append(param)
    return root  # pyright: ignore
