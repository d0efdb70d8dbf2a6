"""Turns a git remote URL into the one key that every form of it shares.

A key never holds userinfo, port, query or fragment, and what cannot be read for certain has no key:
a password that looks like a path must not end up in a name.
"""

# ruff: noqa: PLC0415 - Unicode tables and the idna codec are loaded only for names that need them.
from __future__ import annotations

import _socket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# `project:` and the key make a scope, which has at most 255 characters.
MAX_KEY = 247

_WEB = frozenset({"http", "https", "git+http", "git+https"})
_SHELL = frozenset({"ssh", "git+ssh", "ssh+git"})
_OTHER = frozenset({"git", "ftp", "ftps"})
_SCHEME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-")
_HOST = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_.")
_PATH_BAD = frozenset('"*<>?|\\')
_HEX = frozenset("0123456789abcdefABCDEF")

# Forges that take names in any case, with the number of path segments a repository has there.
FORGES: dict[str, tuple[int, int]] = {
    "github.com": (2, 2),
    "gist.github.com": (1, 2),
    "gitlab.com": (2, 21),
    "bitbucket.org": (2, 2),
    "codeberg.org": (2, 2),
    "gitea.com": (2, 2),
    "git.sr.ht": (2, 2),
    "dev.azure.com": (3, 3),
}
# The hosts that forges offer for ssh through port 443, and other names of theirs.
_SAME_FORGE = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
    "ssh.dev.azure.com": "dev.azure.com",
    "vs-ssh.visualstudio.com": "dev.azure.com",
}


class Remote:
    """A remote URL taken apart: transport (web, shell or other), normal host, path as written."""

    __slots__ = ("host", "path", "transport")

    def __init__(self, transport: str, host: str, path: str) -> None:
        """Hold the parts that say which repository it is; userinfo and port are gone already."""
        self.transport = transport
        self.host = host
        self.path = path


def canonical(
    remote_url: str, ssh_hostname: Callable[[str], str | None] | None = None
) -> str | None:
    """Return `host/owner/repo` for a remote URL, None where it names no place others share.

    `ssh_hostname` is asked for the real name of an ssh alias.
    """
    remote = split(remote_url)
    if remote is None:
        return None
    host = remote.host
    if ssh_hostname is not None and remote.transport == "shell" and may_be_alias(host):
        host = _real_host(host, ssh_hostname(host))
    if _is_this_machine(host):
        return None
    forge = forge_of(host)
    raw = remote.path
    if forge is not None or remote.transport == "web":
        raw = raw.partition("#")[0].partition("?")[0]
    path = _decode(raw)
    if path is None:
        return None
    segments = _segments(path.lower() if forge is not None else path)
    if segments is None:
        return None
    if forge is not None:
        segments = _on_forge(forge, host, segments)
    return _join(forge or host, segments)


def split(remote_url: str) -> Remote | None:
    """Return the parts of a URL or scp-like address; None for local paths, helpers and riddles."""
    text = remote_url.strip()
    if not text or not all(char.isprintable() for char in text) or "\\" in text:
        return None
    prefix = len(text) - len(text.lstrip("".join(_SCHEME)))
    if text.startswith("::", prefix):  # a remote helper: its address is its own business
        return None
    if text.startswith("://", prefix):
        return _split_url(text[:prefix].lower(), text[prefix + 3 :])
    return _split_scp(text)


def forge_of(host: str) -> str | None:
    """Return the known forge a host belongs to."""
    name = host.removeprefix("www.")
    name = _SAME_FORGE.get(name, name)
    if name.endswith(".visualstudio.com") and name.count(".") == 2:
        return "dev.azure.com"
    return name if name in FORGES else None


def may_be_alias(host: str) -> bool:
    """Say whether a host may be a name from ssh's config, such as `work` or `github.com-work`."""
    return not host.startswith("[") and forge_of(host) is None


def has_dotted_host(remote_url: str) -> bool:
    """Say whether a URL names its host in full, so that no git setting is needed to read it."""
    remote = split(remote_url)
    return remote is not None and (remote.host.startswith("[") or "." in remote.host)


def looks_like_login(text: str) -> bool:
    """Say whether a text is an scp-like address rather than a project key."""
    head, colon, _ = text.partition(":")
    return bool(colon) and "@" in head


def normal_host(raw: str) -> str | None:
    """Return a host in its one form: lower case, ASCII, no trailing dot, IPv6 in brackets."""
    text = _decode(raw)
    if text is None:
        return None
    if text.startswith("["):
        return _ipv6(text[1:].removesuffix("]"))
    text = text.removesuffix(".")
    if not text.isascii():
        try:
            text = text.encode("idna").decode("ascii")
        except UnicodeError:
            return None
    text = text.lower()
    labels = text.split(".")
    if not set(text) <= _HOST or not all(labels) or len(text) > 253:
        return None
    # A leading dash would be read as an option by ssh.
    return None if any(label[0] == "-" or label[-1] == "-" for label in labels) else text


def _split_url(scheme: str, rest: str) -> Remote | None:
    transport = "web" if scheme in _WEB else "shell" if scheme in _SHELL else "other"
    if transport == "other" and scheme not in _OTHER:
        return None
    end = min((at for at in map(rest.find, "/?#") if at >= 0), default=len(rest))
    authority, path = rest[:end], rest[end:]
    # An @ in the path is the rest of a password with a raw slash in it.
    if "@" in path:
        return None
    host = _host_of(authority.rpartition("@")[2])
    return Remote(transport, host, path) if host and path.startswith("/") else None


def _split_scp(text: str) -> Remote | None:
    """Read `[user@]host:path` and `[user@][host:port]:path`, as git tells them from local paths."""
    if text.startswith("[") or "@[" in text.partition("/")[0]:
        head, bracket, path = text.partition("]:")
        user_and_host = head.replace("[", "", 1)
        inside = user_and_host.rpartition("@")[2]
        host = _ipv6(inside) if inside.count(":") > 1 else _host_of(inside)
        if not bracket:
            return None
    else:
        head, colon, path = text.partition(":")
        if not colon or "/" in head or len(head) == 1:
            return None
        host = normal_host(head.rpartition("@")[2])
    # `user:password@host:path`: the first colon was not the one before the path.
    if host is None or "@" in path:
        return None
    return Remote("shell", host, path) if path else None


def _host_of(authority: str) -> str | None:
    if authority.startswith("["):
        inside, bracket, tail = authority[1:].partition("]")
        colon, port = tail[:1], tail[1:]
        host = _ipv6(inside) if bracket else None
    else:
        name, colon, port = authority.partition(":")
        host = normal_host(name)
    if colon not in {"", ":"} or (port and not (port.isascii() and port.isdigit())):
        return None
    return host if not port or 0 < int(port[:6]) < 65536 else None


def _ipv6(text: str) -> str | None:
    try:
        packed = _socket.inet_pton(_socket.AF_INET6, text)
    except (OSError, ValueError):
        return None
    return f"[{_socket.inet_ntop(_socket.AF_INET6, packed)}]"


def _real_host(alias: str, answer: str | None) -> str:
    """Take ssh's answer for a dotless name; for a dotted one only where it is plainly a nickname.

    `github.com-work` → `github.com` joins two names of one forge; `git.corp.example` → `10.0.0.5`
    is one machine's way there, and would part it from the others.
    """
    name = normal_host(answer) if answer else None
    if name is None and answer and ":" in answer:
        name = _ipv6(answer.strip("[]"))
    if name is None:
        return alias
    nickname = forge_of(name) is not None or alias.startswith((f"{name}-", f"{name}_", f"{name}."))
    return name if "." not in alias or nickname else alias


def _is_this_machine(host: str) -> bool:
    name = host.strip("[]")
    return (
        name in {"localhost", "::1", "::", "0.0.0.0"}  # noqa: S104 - compared, not bound
        or name.endswith((".localhost", ".localdomain"))
        or (name.startswith("127.") and name.replace(".", "").isdigit())
        or name.startswith("::ffff:127.")
    )


def _decode(text: str) -> str | None:
    """Undo percent-encoding once and compose; None for what is no printable text."""
    if "%" in text:
        raw = text.encode("utf-8", "surrogatepass")
        first, *rest = raw.split(b"%")
        decoded = first
        for part in rest:
            code = part[:2].decode("latin-1")
            if len(code) == 2 and set(code) <= _HEX:
                decoded += bytes.fromhex(code) + part[2:]
            else:
                decoded += b"%" + part
        try:
            text = decoded.decode("utf-8")
        except UnicodeDecodeError:
            return None
    if not text.isascii():
        import unicodedata

        text = unicodedata.normalize("NFC", text)
    return text if text.isprintable() else None


def _segments(path: str) -> list[str] | None:
    segments = [segment for segment in path.split("/") if segment]
    for segment in segments:
        if segment in {".", ".."} or segment != segment.strip() or _PATH_BAD & set(segment):
            return None
    if segments and segments[-1] == ".git":  # the repository inside a checkout
        segments.pop()
    elif segments:
        segments[-1] = segments[-1].removesuffix(".git")
    return segments


def _on_forge(forge: str, host: str, segments: list[str]) -> list[str] | None:
    if forge == "dev.azure.com":
        segments = _azure(host, segments)
    fewest, most = FORGES[forge]
    if not fewest <= len(segments) <= most:
        return None
    return segments[-1:] if forge == "gist.github.com" else segments


def _azure(host: str, segments: list[str]) -> list[str]:
    """Return organisation, project and repository from any of the forms Azure has had."""
    if segments[:1] == ["v3"]:
        return segments[1:]
    if host.endswith(".visualstudio.com") and host != "vs-ssh.visualstudio.com":
        segments = [host.partition(".")[0], *segments]
    for mark in ("_git", "_ssh"):
        if mark in segments:
            at = segments.index(mark)
            before = [name for name in segments[:at] if name != "defaultcollection"]
            after = [name for name in segments[at + 1 :] if name not in {"_full", "_optimized"}]
            # A project's first repository bears its name, and the address leaves one of them out.
            return [*before, *after[:1], *after] if len(before) == 1 else [*before, *after]
    return []


def _join(host: str, segments: list[str] | None) -> str | None:
    if not segments or not all(segments):
        return None
    key = "/".join([host, *segments])
    return key if len(key) <= MAX_KEY else None
