"""The command `help`: commands, and the topics made from the tables the code itself goes by."""

import re
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Annotated, Any

import typer

from commonplace import settings as server_settings
from commonplace.clients import config as client_config
from commonplace.clients.cli.group import COMMANDS, command, make_app
from commonplace.clients.cli.layout import pad
from commonplace.clients.cli.session import Session
from commonplace.errors import Invalid, by_code, codes
from commonplace.protocol import requests

app = make_app()

_EXITS = {
    "0": 'done; or queued, which stderr and "queued": true in JSON say',
    "1": "refused: stderr says why and what to do next",
    "2": "the command line is wrong",
    "3": "the server cannot be reached",
    "130": "interrupted",
}
_SCOPES = {
    "global": "what holds everywhere",
    "host:<name>": "what holds on one machine; `host` alone is this one",
    "project:<host/owner/repo>": "what holds in one repository; `project` alone is this one",
}
Entries = list[dict[str, Any]]


def _complete_topic(incomplete: str) -> list[str]:
    return [name for name in (*TOPICS, *COMMANDS) if name.startswith(incomplete)]


@command(
    app,
    "help",
    "commonplace help errors",
    "commonplace help settings",
    "commonplace help operations",
    "commonplace help recall",
)
def help_(
    ctx: typer.Context,
    topic: Annotated[
        str | None,
        typer.Argument(
            help="settings, operations, errors, exits, scopes, or a command",
            autocompletion=_complete_topic,
        ),
    ] = None,
) -> None:
    """Explain a command, or list settings, operations, error codes, exit codes or scopes."""
    session = Session.of(ctx)
    if topic is not None and topic not in COMMANDS and topic not in TOPICS:
        raise Invalid(f"no help on {topic[:60]!a}; topics are {', '.join(TOPICS)}")
    value: dict[str, Any] = {"topic": topic or "commonplace"}
    shown: list[str] = []
    if topic is None or topic in COMMANDS:
        value["text"] = _of_command(ctx, topic)
        shown.append(value["text"])
    if topic in TOPICS:
        value["entries"] = TOPICS[topic]()
        shown.append("\n".join(map(_entry, value["entries"])))
    session.out.show(value, "\n\n".join(shown))


def _of_command(ctx: typer.Context, topic: str | None) -> str:
    root: Any = ctx.find_root()
    if topic is None:
        return f"{root.get_help()}\n\nTopics: commonplace help {' | '.join(TOPICS)}"
    found = root.command.get_command(root, topic)
    with found.make_context(topic, [], parent=root, resilient_parsing=True) as inner:
        return inner.get_help()


def _entry(entry: dict[str, Any]) -> str:
    lines = [f"{pad(entry['name'], 18)}  {entry['doc']}"]
    lines += [f"    {pad(key, 18)}  {held}" for key, held in entry.get("fields", {}).items()]
    return "\n".join(lines)


def _settings() -> Entries:
    client = _entries_of(client_config.SETTINGS, "client: option, environment, then config file")
    return client + _entries_of(server_settings.SETTINGS, "server: environment")


def _entries_of(
    table: Sequence[client_config.Setting | server_settings.Setting], side: str
) -> Entries:
    return [
        {
            "name": item.name,
            "doc": item.doc,
            "fields": {"environment": item.env, "default": item.default or "-", "side": side},
        }
        for item in table
    ]


def _operations() -> Entries:
    found: Entries = []
    for name, cls in vars(requests).items():
        if name.endswith("Request") and is_dataclass(cls):
            entry: dict[str, Any] = {
                "name": re.sub(r"(?<!^)(?=[A-Z])", "_", name.removesuffix("Request")).lower(),
                "doc": (cls.__doc__ or "").strip(),
                "fields": {field.name: field.metadata["doc"] for field in fields(cls)},
            }
            found.append(entry)
    return found


def _errors() -> Entries:
    return [{"name": code, "doc": (by_code(code).__doc__ or "").strip()} for code in codes()]


def _plain(table: dict[str, str]) -> Callable[[], Entries]:
    return lambda: [{"name": name, "doc": doc} for name, doc in table.items()]


TOPICS: dict[str, Callable[[], Entries]] = {
    "settings": _settings,
    "operations": _operations,
    "errors": _errors,
    "exits": _plain(_EXITS),
    "scopes": _plain(_SCOPES),
}
