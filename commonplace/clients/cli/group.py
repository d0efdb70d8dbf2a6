"""The command tree: which module holds which command, loaded when it is called."""

import importlib
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group

from commonplace import __version__
from commonplace.clients.cli import common
from commonplace.clients.cli.session import globals_of, output
from commonplace.clients.cli.values import read_plainly

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
    "pin": "writing",
    "unpin": "writing",
    "link": "linking",
    "unlink": "linking",
    "graph": "linking",
    "path": "linking",
    "get": "reading",
    "recall": "searching",
    "list": "reading",
    "history": "reading",
    "index": "searching",
    "scope": "scoping",
    "scopes": "scoping",
    "alias": "scoping",
    "reindex": "maintaining",
    "stats": "serving",
    "call": "serving",
    "outbox": "outboxing",
    "config": "configuring",
    "connect": "connecting",
    "doctor": "diagnosing",
    "serve": "serving",
    "help": "helping",
}

Function = TypeVar("Function", bound=Callable[..., Any])


class LazyGroup(TyperGroup):
    """The root command; knows every name and builds only what is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - typer's signature
        """Return all command names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - as above
        """Return one command, importing its module on first use."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            self._load(COMMANDS[cmd_name])
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Resolve as usual; a name that is not known is compared with all there are."""
        if args and args[0] not in COMMANDS:
            for module in dict.fromkeys(COMMANDS.values()):
                self._load(module)
        return super().resolve_command(ctx, args)

    def _load(self, module: str) -> None:
        loaded = importlib.import_module(f"commonplace.clients.cli.{module}")
        built = get_group(loaded.app)
        for name, command in built.commands.items():
            # `serve` hands options it does not know to the server, so it takes none but its own.
            own_only = bool(command.context_settings.get("ignore_unknown_options"))
            taken = {option for param in command.params for option in param.opts}
            command.params += [
                param
                for param in common.options(hide_rare=True)
                if not taken.intersection(param.opts) and (not own_only or "--help" in param.opts)
            ]
            read_plainly(command.params)
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
        text += f"\n\n\b\nExamples:\n{shown}"
        app.command(name, help=text, add_help_option=False, **settings)(function)
        return function

    return add


def _show_version(ctx: typer.Context, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        output(globals_of(ctx)).text(f"commonplace {__version__}")
        raise typer.Exit


def _root(
    ctx: typer.Context,
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Show the version",
            is_eager=True,
            callback=_show_version,
            expose_value=False,
        ),
    ] = False,
) -> None:
    """One memory for every coding agent on every machine.

    Global options may stand before or after the command. `commonplace help` lists settings,
    operations, error codes and exit codes.
    """
    if ctx.invoked_subcommand is None:
        output(globals_of(ctx)).text(ctx.get_help())


def build() -> Any:
    """Return the root command."""
    app = typer.Typer(
        cls=LazyGroup,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_help_option=False,
    )
    app.callback(invoke_without_command=True)(_root)
    root: Any = get_command(app)
    root.params += common.options(hide_rare=False)
    read_plainly(root.params)
    return root
