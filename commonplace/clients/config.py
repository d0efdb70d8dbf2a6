"""The client's settings: option, environment, config file, default.

The only reader of the environment on the client's side.
"""

from __future__ import annotations

import os

from commonplace.clients import flat_toml, setting_checks
from commonplace.clients.setting_checks import DEFAULT_URL, NAME_CHARS
from commonplace.errors import Invalid

FROM_OPTION, FROM_ENV, FROM_FILE, FROM_DEFAULT = "option", "environment", "file", "default"

_MAX_FILE_BYTES = 256 * 1024
# Where a git hook's variables would point git at another repository; these three say only which
# of the user's own config files to read.
_KEPT_GIT = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"})


class Setting:
    """One setting: its key in the file, its variable, its default as shown, what it means."""

    __slots__ = ("default", "doc", "env", "name", "secret")

    def __init__(self, name: str, default: str, doc: str, *, secret: bool = False) -> None:
        """Derive the variable from the name: `token_file` is COMMONPLACE_TOKEN_FILE."""
        self.name = name
        self.env = f"COMMONPLACE_{name.upper()}"
        self.default = default
        self.doc = doc
        self.secret = secret


SETTINGS: tuple[Setting, ...] = (
    Setting("url", DEFAULT_URL, "Where the server is"),
    Setting("host", "", "Name of this machine; left out: the short host name"),
    Setting("project", "", "Project key for every session here; left out: found from the folder"),
    Setting("token", "", "Token the server asks for", secret=True),
    Setting("token_file", "", "File that holds the token"),
    Setting("agent", "cli", "Who writes: the agent's name in author and logs"),
    Setting("proxy", "", "HTTP proxy to use; proxies of the environment never are"),
    Setting("timeout", "15", "Seconds a call may take"),
)


class ClientConfig:
    """What this client runs with.

    `sources` tells for each setting's name where its value came from; `warnings` are sentences to
    show.
    Units: timeout_s is seconds.
    """

    __slots__ = (
        "agent", "cache_dir", "config_path", "data_dir", "home", "host", "project", "proxy",
        "sources", "state_dir", "timeout_s", "token", "token_file", "url", "warnings",
    )  # fmt: skip

    url: str
    host: str
    project: str | None
    token: str | None
    token_file: str | None
    agent: str
    proxy: str | None
    timeout_s: float
    home: str
    config_path: str
    data_dir: str
    cache_dir: str
    state_dir: str
    sources: dict[str, str]
    warnings: tuple[str, ...]

    def __init__(self, **values: object) -> None:
        """Take every field by name; nothing changes afterwards."""
        for name in self.__slots__:
            object.__setattr__(self, name, values[name])

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: a config is read once and passed down."""
        raise AttributeError(f"{name}: a client config is read-only")

    def __repr__(self) -> str:
        """Show where calls go, never the token."""
        return f"ClientConfig(url={self.url!r}, host={self.host!r}, agent={self.agent!r})"

    def bearer(self) -> str | None:
        """Return the token to send, read from `token_file` where that is what was set.

        Raises: Invalid when the file cannot be read or holds no token.
        """
        if self.token is not None or self.token_file is None:
            return self.token
        label = f"token_file {self.token_file}"
        text = _read(self.token_file, label)
        if text is None:
            raise Invalid(f"{label} is not there; write the token into it, or unset token_file")
        return setting_checks.token(text.strip(), label)

    def shown(self, name: str) -> str:
        """Return a setting's value as it may be printed; a secret only says that it is set."""
        value = self.timeout_s if name == "timeout" else getattr(self, name)
        if value is None:
            return ""
        if name == "timeout":
            return f"{value:g}"
        return "(set)" if name == "token" else str(value)


def load(**overrides: str | None) -> ClientConfig:
    """Read the settings; an override that is None or "" counts as not given.

    `config_path=` names another file than `~/.config/commonplace/config.toml`.
    Raises: Invalid, naming the option, variable, or file and key; never a value that may be secret.
    """
    environ = os.environ
    home = _home()
    path = overrides.pop("config_path", None) or environ.get("COMMONPLACE_CONFIG")
    path = path or _xdg("XDG_CONFIG_HOME", home, ".config") + "/config.toml"
    found, warnings = _from_file(path)
    for setting in SETTINGS:
        if environ.get(setting.env):
            found[setting.name] = (environ[setting.env], FROM_ENV, setting.env)
        given = overrides.pop(setting.name, None)
        if given:
            found[setting.name] = (given, FROM_OPTION, f"option {setting.name}")
    if overrides:
        raise Invalid(f"no such setting: {', '.join(sorted(overrides))}")
    _keep_one_token(found)
    values: dict[str, object] = {
        setting.name: _checked(setting.name, found.get(setting.name)) for setting in SETTINGS
    }
    values["timeout_s"] = values.pop("timeout")
    return ClientConfig(
        **values,
        home=home,
        config_path=path,
        data_dir=_xdg("XDG_DATA_HOME", home, ".local/share"),
        cache_dir=_xdg("XDG_CACHE_HOME", home, ".cache"),
        state_dir=_xdg("XDG_STATE_HOME", home, ".local/state"),
        sources={s.name: found[s.name][1] if s.name in found else FROM_DEFAULT for s in SETTINGS},
        warnings=tuple(warnings),
    )


def save(path: str, text: str) -> None:
    """Write a config file whole or not at all, readable by its owner only.

    Raises: Invalid when the folder cannot be written.
    """
    target = os.path.realpath(path)
    draft = f"{target}.{os.getpid()}.tmp"
    try:
        os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
    except OSError as error:
        raise Invalid(f"cannot write {path}: {error.strerror}; check the folder's rights") from None


def child_environment() -> dict[str, str]:
    """Return the environment for git and ssh, without the variables that redirect git."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in _KEPT_GIT
    }
    return {**kept, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}


def variable(name: str) -> str | None:
    """Return a variable of another program that says where it keeps its files."""
    return os.environ.get(name) or None


def bare_environment() -> dict[str, str]:
    """Return what a program started by a desktop, launchd or systemd has in its environment."""
    kept = ("HOME", "USER", "LOGNAME", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH")
    found = {
        name: value for name, value in os.environ.items() if name in kept or name.startswith("XDG_")
    }
    return {**found, "PATH": os.defpath}


def config_home(home: str) -> str:
    """Return the folder programs keep their settings below."""
    return _xdg_base("XDG_CONFIG_HOME", home, ".config")


def machine_name(raw: str) -> str:
    """Return a host name in its short, lower-case form, fit for a `host:` scope."""
    name = raw.strip().lower()
    short = name if name.replace(".", "").isdigit() else name.partition(".")[0]
    safe = "".join(char if char in NAME_CHARS else "-" for char in short).strip("-._")
    return safe[:63].rstrip("-._") or "localhost"


def _home() -> str:
    home = os.path.expanduser("~")
    return home if os.path.isabs(home) else os.sep


def _xdg(name: str, home: str, fallback: str) -> str:
    return f"{_xdg_base(name, home, fallback)}/commonplace"


def _xdg_base(name: str, home: str, fallback: str) -> str:
    # The XDG specification tells programs to ignore a relative path.
    base = os.environ.get(name, "")
    return base if os.path.isabs(base) else os.path.join(home, fallback)


def _own_name() -> str:
    if hasattr(os, "uname"):
        return os.uname().nodename
    return os.environ.get("COMPUTERNAME", "")


def _read(path: str, label: str) -> str | None:
    try:
        with open(os.path.expanduser(path), "rb") as file:
            raw = file.read(_MAX_FILE_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Invalid(f"cannot read {label}: {error.strerror}; check its rights") from None
    if len(raw) > _MAX_FILE_BYTES:
        raise Invalid(f"{label} is larger than {_MAX_FILE_BYTES} bytes; it is no settings file")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Invalid(f"{label} is not UTF-8 text; save it as UTF-8") from None


def _from_file(path: str) -> tuple[dict[str, tuple[object, str, str]], list[str]]:
    text = _read(path, path)
    if text is None:
        return {}, []
    try:
        values = flat_toml.loads(text)
    except ValueError as error:
        raise Invalid(f"{path} is {error}; correct that line", file=path) from None
    names = {setting.name for setting in SETTINGS}
    unknown = [key for key, value in values.items() if key not in names and not _is_table(value)]
    warnings = [f"{path}: no such setting: {ascii(key)[1:-1][:60]}" for key in unknown]
    found = {
        key: (value, FROM_FILE, f"{path}: {key}")
        for key, value in values.items()
        if key in names and value != ""
    }
    return found, warnings


def _is_table(value: object) -> bool:
    return isinstance(value, (dict, list))


def _keep_one_token(found: dict[str, tuple[object, str, str]]) -> None:
    """Let the nearer of token and token_file win; side by side, the token does."""
    rank = {FROM_FILE: 0, FROM_ENV: 1, FROM_OPTION: 2}
    if "token" in found and "token_file" in found:
        nearer = rank[found["token_file"][1]] > rank[found["token"][1]]
        del found["token" if nearer else "token_file"]


def _checked(name: str, given: tuple[object, str, str] | None) -> object:
    if given is None:
        if name == "host":
            return machine_name(_own_name())
        default = next(setting.default for setting in SETTINGS if setting.name == name)
        return float(default) if name == "timeout" else default or None
    value, _, label = given
    if name == "timeout":
        return setting_checks.timeout(value, label)
    if not isinstance(value, str):
        raise Invalid(f"{label} must be a text in quotes", field=name)
    return setting_checks.CHECKS[name](value.strip(), label)


def no_color() -> bool:
    """Return whether the environment asks for text without colour (https://no-color.org)."""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
