"""What each client setting may hold; a complaint names where the value stood, never the value."""

from __future__ import annotations

import os

from commonplace.errors import Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT_URL = "http://127.0.0.1:9322"
NAME_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def url(value: str, label: str) -> str:
    """Return the server's address: scheme, host, port and perhaps a path."""
    scheme, mark, rest = value.partition("://")
    authority = rest.partition("/")[0]
    if "@" in value:
        raise Invalid(f"{label} must not hold a user name or password; set token instead")
    plain = value.isascii() and value.isprintable() and " " not in value
    if scheme.lower() not in {"http", "https"} or not mark or not authority.strip(":") or not plain:
        raise Invalid(f"{label} must be an address such as {DEFAULT_URL}")
    if "?" in value or "#" in value or "\\" in value or not _good_port(authority):
        raise Invalid(f"{label} must be scheme, host and port only, such as {DEFAULT_URL}")
    return f"{scheme.lower()}://{rest.rstrip('/')}"


def proxy(value: str, label: str) -> str:
    """Return a proxy's address, which may hold a login."""
    authority = value.partition("://")[2].partition("/")[0].rpartition("@")[2]
    if not value.lower().startswith("http://") or not authority or not _good_port(authority):
        raise Invalid(f"{label} must be an HTTP proxy such as http://proxy.example:3128")
    if not (value.isascii() and value.isprintable()) or " " in value:
        raise Invalid(f"{label} must be plain ASCII without blanks")
    return value


def token(value: str, label: str) -> str:
    """Return a token fit for a header."""
    if not value or not value.isascii() or not value.isprintable() or " " in value:
        raise Invalid(f"{label} holds no usable token: one word of visible ASCII characters")
    return value


def name(value: str, label: str) -> str:
    """Return an agent's name, fit for an author."""
    if not value or len(value) > 64 or not set(value) <= NAME_CHARS or not value[0].isalnum():
        raise Invalid(f"{label} must be letters, digits, '-', '_' and '.', at most 64")
    return value


def host(value: str, label: str) -> str:
    """Return a host's name in lower case, fit for a scope."""
    found = name(value, label).lower()
    if not found[-1].isalnum():
        raise Invalid(f"{label} must end with a letter or a digit")
    return found


def project(value: str, label: str) -> str:
    """Return a project key as written; the resolver reads it."""
    if not value.isprintable():
        raise Invalid(f"{label} holds a control character; a project is host/owner/repo")
    return value


def file(value: str, label: str) -> str:
    """Return an absolute path."""
    if "\x00" in value:
        raise Invalid(f"{label} is not a path")
    return os.path.abspath(os.path.expanduser(value))


def timeout(value: object, label: str) -> float:
    """Return seconds."""
    try:
        seconds = float(value) if isinstance(value, (str, int, float)) else 0.0
    except (ValueError, OverflowError):
        seconds = 0.0
    if isinstance(value, bool) or not 0.0 < seconds <= 3600.0:
        raise Invalid(f"{label} must be seconds, above 0 and at most 3600", field="timeout")
    return seconds


def _good_port(authority: str) -> bool:
    tail = authority.rpartition("]")[2] if authority.startswith("[") else authority
    front, colon, port = tail.partition(":")
    if authority.startswith("["):
        if "]" not in authority or front:
            return False
    elif not front:
        return False
    return not colon or (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536)


CHECKS: dict[str, Callable[[str, str], str]] = {
    "url": url,
    "host": host,
    "project": project,
    "token": token,
    "token_file": file,
    "agent": name,
    "proxy": proxy,
}
