"""The server's settings: one table, and the one place that reads the server's environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonplace.errors import Invalid

DEFAULT_PORT = 9322
KIB = 1024
BUNDLED_MODEL, NO_MODEL = "bundled", "off"
MODEL_FILE = "commonplace-model.toml"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its field, its environment variable, its default as text, and what it does."""

    name: str
    env: str
    default: str
    doc: str
    read: Callable[[str], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a server was told; see `SETTINGS` for the meaning of each field."""

    db: Path
    listen_host: str
    listen_port: int
    body_limit: int
    request_limit: int
    threads: int
    link_boost: float
    secrets: str
    model: str
    model_threads: int


def _path(text: str) -> Path:
    return Path(text).expanduser()


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        number = int(text)
        if not low <= number <= high:
            raise ValueError(text)
        return number

    read.__doc__ = f"a whole number from {low} to {high}"
    return read


def _between(low: float, high: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        number = float(text)
        if not low <= number <= high:  # nan lies nowhere
            raise ValueError(text)
        return number

    read.__doc__ = f"a number from {low:g} to {high:g}"
    return read


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in words:
            raise ValueError(text)
        return text.lower()

    read.__doc__ = f"one of {', '.join(words)}"
    return read


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "db",
        "COMMONPLACE_DB",
        "$XDG_DATA_HOME/commonplace/commonplace.db",
        "The store's file; $XDG_DATA_HOME is ~/.local/share where it is not set",
        _path,
    ),
    Setting(
        "listen_host",
        "COMMONPLACE_LISTEN_HOST",
        "127.0.0.1",
        "Address the server listens on",
        str,
    ),
    Setting(
        "listen_port",
        "COMMONPLACE_LISTEN_PORT",
        str(DEFAULT_PORT),
        "Port the server listens on; 0 takes a free one",
        _whole(0, 65535),
    ),
    Setting(
        "body_limit",
        "COMMONPLACE_BODY_LIMIT",
        str(16 * KIB),
        "Most bytes of one memory's body, in UTF-8",
        _whole(1, 16 * KIB * KIB),
    ),
    Setting(
        "request_limit",
        "COMMONPLACE_REQUEST_LIMIT",
        str(2 * KIB * KIB),
        "Most bytes of one HTTP request",
        _whole(KIB, 256 * KIB * KIB),
    ),
    Setting(
        "threads",
        "COMMONPLACE_THREADS",
        "64",
        "Most operations worked on at the same time",
        _whole(1, 1024),
    ),
    Setting(
        "link_boost",
        "COMMONPLACE_LINK_BOOST",
        "0.02",
        "What links to a memory add to its rank: this times ln(1 + links); 0 turns it off",
        _between(0, 1),
    ),
    Setting(
        "secrets",
        "COMMONPLACE_SECRETS",
        "refuse",
        "What becomes of a write that holds what looks like a secret: refuse, redact or allow",
        _one_of("refuse", "redact", "allow"),
    ),
    Setting(
        "model",
        "COMMONPLACE_MODEL",
        BUNDLED_MODEL,
        f"Sentence model to search by meaning with: a folder with {MODEL_FILE}, bundled, or off",
        str,
    ),
    Setting(
        "model_threads",
        "COMMONPLACE_MODEL_THREADS",
        "2",
        "Processor threads the model may use",
        _whole(1, 64),
    ),
)


def read(environ: Mapping[str, str] | None = None) -> Settings:
    """Return the settings of an environment, by default this process's; an empty value is none.

    Raises: Invalid, naming the variable and the form it takes.
    """
    source = os.environ if environ is None else environ
    values = {setting.name: _value(setting, source) for setting in SETTINGS}
    return Settings(**values)


def shield_fastmcp() -> None:
    """Keep stray FASTMCP_* variables and `.env` files out of FastMCP, and it from calling home.

    Effects: changes this process's environment. It must run before `fastmcp` is imported, since
    FastMCP reads its settings then, from a `.env` of the current directory too.
    """
    for name in [name for name in os.environ if name.startswith("FASTMCP_")]:
        del os.environ[name]
    os.environ.update(
        FASTMCP_ENV_FILE=os.devnull,
        FASTMCP_CHECK_FOR_UPDATES="off",
        FASTMCP_SHOW_SERVER_BANNER="false",
        FASTMCP_TELEMETRY_MODE="off",
        FASTMCP_LOG_ENABLED="false",
    )


def _value(setting: Setting, environ: Mapping[str, str]) -> Any:
    text = environ.get(setting.env, "").strip()
    if not text and setting.name == "db":
        return _default_db(environ)
    try:
        return setting.read(text or setting.default)
    except ValueError:
        form = setting.read.__doc__ or "a value of another form"
        raise Invalid(
            f"{setting.env} must be {form}, not {text[:60]!a}", setting=setting.env
        ) from None


def _default_db(environ: Mapping[str, str]) -> Path:
    base = environ.get("XDG_DATA_HOME", "")
    data = Path(base) if base.startswith("/") else Path("~/.local/share").expanduser()
    return data / "commonplace" / "commonplace.db"
