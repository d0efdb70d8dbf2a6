"""What an agent module tells: where the agent's files are and what belongs into them."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from commonplace.clients.connect.formats.base import Path as Place
from commonplace.clients.light_json import is_array, is_object

NAME = "commonplace"
TOKEN_VARIABLE = "COMMONPLACE_TOKEN"  # noqa: S105 - the variable's name
HOOK_TIMEOUT_S = 10
ABOUT = "Memory shared by all coding agents and machines: recall before work, remember facts"

Role = Literal["mcp", "hook"]
FormatName = Literal["json", "toml", "yaml"]
Credential = Literal["none", "variable", "file"]


@dataclass(frozen=True)
class Machine:
    """Where a person's files are; `variable` gives an agent's own environment variable."""

    home: Path
    config_home: Path
    platform: str
    variable: Callable[[str], str | None]

    def folder(self, variable: str, fallback: str) -> Path:
        """Return the folder a variable names, else the one below home."""
        named = self.variable(variable)
        return Path(named).expanduser() if named else self.home / fallback

    def application_data(self) -> Path:
        """Return where desktop programs keep their settings on this platform."""
        if self.platform == "darwin":
            return self.home / "Library/Application Support"
        if self.platform == "win32":
            return self.folder("APPDATA", "AppData/Roaming")
        return self.config_home


@dataclass(frozen=True)
class Link:
    """What an entry must say: which server, as which host, with which token, by which program.

    `hook_options` are settings the hook would not find by itself.
    """

    url: str
    host: str
    program: str
    hook_options: tuple[str, ...] = ()
    credential: Credential = "none"
    token_file: str = ""
    clear_token: str | None = field(default=None, repr=False)

    @property
    def endpoint(self) -> str:
        """Return the address of the server's MCP endpoint."""
        return f"{self.url}/mcp"

    def headers(
        self, agent: str, bearer: str | None = None, *, file_command: str | None = None
    ) -> dict[str, str]:
        """Return the headers of an entry.

        `bearer` is how the client writes a variable's value, `file_command` how it writes the
        output of a command ({}), which is used where the token is in a file.
        """
        made = {"X-Commonplace-Host": self.host, "X-Commonplace-Agent": agent}
        if self.clear_token is not None:
            made["Authorization"] = f"Bearer {self.clear_token}"
        elif self.credential == "file" and file_command is not None:
            made["Authorization"] = file_command.format(self.print_token("Bearer %s"))
        elif self.credential != "none" and bearer is not None:
            made["Authorization"] = f"Bearer {bearer}"
        return made

    def print_token(self, form: str) -> str:
        """Return a shell command that prints the token file's token in a `printf` form."""
        return f'printf {shlex.quote(form)} "$(cat {shlex.quote(self.token_file)})"'

    def variables(self) -> dict[str, str]:
        """Return the hook's options as the variables that mean the same."""
        names = (name.removeprefix("--").replace("-", "_") for name in self.hook_options[::2])
        pairs = zip(names, self.hook_options[1::2], strict=True)
        return {f"COMMONPLACE_{name.upper()}": value for name, value in pairs}

    def hook_command(self, client: str) -> str:
        """Return the session-start hook as one line for a shell; the same in every release."""
        words = [self.program, "index", "--hook", "--client", client, *self.hook_options]
        return " ".join(shlex.quote(word) for word in words)


@dataclass(frozen=True)
class Entry:
    """One member of a settings file; `stale` are members that an older or foreign form left."""

    role: Role
    file: Path
    at: Place
    value: dict[str, Any]
    format: FormatName = "json"
    stale: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Item:
    """One item of a list in a settings file; `ours` finds it again among the list's items.

    `base` are members the file needs beside the list (such as a version), if they are not there.
    """

    role: Role
    file: Path
    at: Place
    value: dict[str, Any]
    ours: Callable[[Any], list[Place]]
    format: FormatName = "json"
    base: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Whole:
    """A file that is ours from the first byte to the last."""

    role: Role
    file: Path
    text: str


Part = Entry | Item | Whole


@dataclass(frozen=True)
class Agent:
    """An agent that can be connected.

    `signs` are what tells that the agent is on a machine: files, or names of programs.
    `expands` says whether its files can name a variable where the token belongs, `reads_file`
    whether it can take the token from a file, `asks` whether it asks the person, `bridges` whether
    it starts our own program, which knows the token.
    `client` is the hook's `--client`, None where the agent has no such hook.
    """

    name: str
    title: str
    signs: Callable[[Machine], Iterable[Path | str]]
    parts: Callable[[Machine, Link], list[Part]]
    client: str | None = None
    expands: bool = True
    reads_file: bool = False
    asks: bool = False
    bridges: bool = False
    notes: tuple[str, ...] = ()

    def found(self, machine: Machine) -> bool:
        """Say whether the agent is on this machine."""
        path = machine.variable("PATH") or ""
        return any(
            sign.exists() if isinstance(sign, Path) else shutil.which(sign, path=path) is not None
            for sign in self.signs(machine)
        )


TRANSPORTS: tuple[Place, ...] = tuple(
    (name,) for name in ("type", "url", "httpUrl", "serverUrl", "uri", "command", "args", "env")
)


def is_our_command(text: object) -> bool:
    """Say whether a hook's line is one that `connect` wrote, whatever the program's path."""
    return isinstance(text, str) and "index --hook --client" in text and "commonplace" in text


def grouped(groups: Any) -> list[Place]:
    """Find our handlers in a list of Claude Code's form; a group of ours alone counts as a whole.

    Source: {"matcher": "…", "hooks": [{"type": "command", "command": "…"}]} in Claude Code,
    Codex and Gemini CLI.
    """
    found: list[Place] = []
    for at, group in enumerate(groups if is_array(groups) else []):
        handlers = group.get("hooks") if is_object(group) else None
        if not is_array(handlers):
            continue
        ours = [n for n, each in enumerate(handlers) if _is_ours(each)]
        if ours and len(ours) == len(handlers):
            found.append((at,))
        else:
            found += [(at, "hooks", n) for n in ours]
    return found


def flat(handlers: Any) -> list[Place]:
    """Find our handlers in a plain list of them."""
    items = handlers if is_array(handlers) else []
    return [(at,) for at, each in enumerate(items) if _is_ours(each)]


def _is_ours(handler: Any) -> bool:
    if not is_object(handler):
        return False
    return any(is_our_command(handler.get(key)) for key in ("command", "bash"))
