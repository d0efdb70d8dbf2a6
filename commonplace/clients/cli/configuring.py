"""The command `config`: what this client is set to, and changing its file."""

import re
from pathlib import Path
from typing import Annotated, Any

import tomli_w
import typer

from commonplace.clients import config as client_config
from commonplace.clients import flat_toml
from commonplace.clients.cli.given import read_stdin
from commonplace.clients.cli.group import command, make_app
from commonplace.clients.cli.layout import pad
from commonplace.clients.cli.session import Session
from commonplace.domain.text import one_line
from commonplace.errors import Invalid

app = make_app()
_ACTIONS = ("show", "get", "set", "unset", "path")


def _complete_action(incomplete: str) -> list[str]:
    return [action for action in _ACTIONS if action.startswith(incomplete)]


def _complete_setting(incomplete: str) -> list[str]:
    return [item.name for item in client_config.SETTINGS if item.name.startswith(incomplete)]


@command(
    app,
    "config",
    "commonplace config",
    "commonplace config set url http://memory-box:9322",
    "commonplace config set token - < token.txt",
    "commonplace config get url",
    "commonplace config path",
)
def config(
    ctx: typer.Context,
    action: Annotated[
        str, typer.Argument(help="show, get, set, unset or path", autocompletion=_complete_action)
    ] = "show",
    name: Annotated[
        str | None, typer.Argument(help="Setting", autocompletion=_complete_setting)
    ] = None,
    value: Annotated[str | None, typer.Argument(help="New value; - reads standard input")] = None,
) -> None:
    """Show the client's settings and where each came from, or change the config file.

    An option goes before the environment, that before the file. A token is never shown.
    """
    session = Session.of(ctx)
    if action == "show" and name is None:
        return _show(session)
    if action == "path" and name is None:
        path = session.config.config_path
        return session.out.show({"path": path}, path)
    if action not in _ACTIONS or name is None or (value is None) != (action != "set"):
        raise typer.BadParameter(
            "write config, config path, config get NAME, config set NAME VALUE, config unset NAME",
            ctx=ctx,
        )
    setting = _setting(name)
    if action == "get":
        shown = session.config.shown(setting.name)
        source = session.config.sources[setting.name]
        return session.out.show({"name": setting.name, "value": shown, "source": source}, shown)
    if value is not None:
        value = read_stdin(session.out).strip() if value == "-" else value
    return _change(session, setting, value)


def _show(session: Session) -> None:
    loaded = session.config
    values = {
        item.name: {"value": loaded.shown(item.name), "source": loaded.sources[item.name]}
        for item in client_config.SETTINGS
    }
    lines = [
        f"{pad(name, 10)}  {pad(one_line(held['value']) or '-', 32)}  {held['source']}"
        for name, held in values.items()
    ]
    there = "" if Path(loaded.config_path).exists() else "  (not there)"
    session.out.show(
        {"path": loaded.config_path, "settings": values},
        "\n".join([*lines, "", f"file: {loaded.config_path}{there}"]),
    )


def _setting(name: str) -> client_config.Setting:
    for setting in client_config.SETTINGS:
        if setting.name == name.replace("-", "_"):
            return setting
    known = ", ".join(setting.name for setting in client_config.SETTINGS)
    raise Invalid(f"no such setting: {name[:60]!a}; a setting is one of {known}")


def _change(session: Session, setting: client_config.Setting, value: str | None) -> None:
    path = session.config.config_path
    if value is not None:
        overrides: dict[str, Any] = {setting.name: value, "config_path": path}
        client_config.load(**overrides)
    text = with_setting(_text(path), setting.name, value)
    client_config.save(path, text)
    shown = "(set)" if setting.secret and value else value or ""
    report = f"set {setting.name} to {shown}" if value else f"unset {setting.name}"
    session.out.show({"name": setting.name, "value": shown, "path": path}, f"{report} in {path}")


def with_setting(text: str, name: str, value: str | None) -> str:
    """Return a config file's text with one top-level key set, or taken away; the rest untouched.

    Raises: Invalid when the key is written in a way only an editor can change safely.
    """
    lines = text.splitlines()
    end = next((at for at, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    key = re.compile(rf"\s*{name}\s*=")
    kept = [line for line in lines[:end] if not key.match(line)]
    if value:
        kept.append(tomli_w.dumps({name: value}).rstrip("\n"))
    changed = "\n".join([*kept, *lines[end:]])
    changed = changed + "\n" if changed else ""
    try:
        found = flat_toml.loads(changed).get(name)
    except ValueError:
        found = ...
    if found != (value or None):
        raise Invalid(f"{name} cannot be changed in place; edit the config file by hand")
    return changed


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise Invalid(f"cannot read {path}: {error.strerror}; check its rights") from None
