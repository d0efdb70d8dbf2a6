"""Which project and host a folder belongs to: the only resolver, whoever asks."""

# ruff: noqa: PLC0415 - hashes, Unicode tables and the rules for rare keys are loaded only where
# needed: the session-start hook runs this within a few milliseconds.
from __future__ import annotations

import os

from commonplace.clients import flat_toml, scope_git, scope_remote
from commonplace.clients.config import FROM_ENV, FROM_FILE, ClientConfig, load
from commonplace.clients.scope_ask import Asker
from commonplace.errors import Invalid

OVERRIDE_FILE = ".commonplace.toml"
# git and ssh together; the answer is wanted within a second, and a hook has other things to do.
ASK_BUDGET_S = 0.8

_SAFE_KEY = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-~+@/[]:")

_PREFERRED = ("origin", "upstream")
_NO_GIT = "git is needed to read its remote, and gave no answer in time"
_ALIAS_MISS = "ssh does not explain the host {}; its bare name stands in the project key"

canonical = scope_remote.canonical


class Resolution:
    """What a folder belongs to.

    `project` is a key without `project:`, None where there is none. `rule` is one of option,
    environment, config, override, origin, upstream, only-remote, local, none; `detail` says in
    words what it rests on.
    No field ever holds a URL or any part of one but host and path.
    """

    __slots__ = ("detail", "host", "project", "rule", "warnings")

    def __init__(
        self,
        project: str | None,
        host: str,
        rule: str,
        detail: str,
        warnings: tuple[str, ...] = (),
    ) -> None:
        """Hold the answer."""
        self.project = project
        self.host = host
        self.rule = rule
        self.detail = detail
        self.warnings = warnings

    def __repr__(self) -> str:
        """Show the answer and the rule."""
        return f"Resolution(project={self.project!r}, host={self.host!r}, rule={self.rule!r})"

    def scopes(self) -> tuple[str, ...]:
        """Return the scopes a session here sees, narrowest first."""
        project = (f"project:{self.project}",) if self.project else ()
        return (*project, f"host:{self.host}", "global")


def resolve(
    cwd: str | None = None, *, project: str | None = None, config: ClientConfig | None = None
) -> Resolution:
    """Return what the folder `cwd` (left out: this process's) belongs to.

    Effects: reads the disk; may run git and ssh, bounded by `ASK_BUDGET_S`.
    Raises: Invalid or UnknownScopeForm for a project named by hand that is no project key.
    """
    settings = config if config is not None else load()
    named = project or settings.project
    if named:
        return _named(named, project is not None, settings)
    folder = _folder(cwd)
    if folder is None:
        detail = "the working folder is gone" if cwd is None else "the folder is not there"
        return Resolution(None, settings.host, "none", detail)
    warnings: list[str] = []
    found = _override(folder, warnings)
    if found is not None:
        return Resolution(found[0], settings.host, "override", found[1], tuple(warnings))
    home = os.path.realpath(settings.home)
    repository = scope_git.find(folder, (home, os.path.abspath(os.sep)))
    if repository is None:
        return Resolution(None, settings.host, "none", "no git repository here", tuple(warnings))
    if repository.linked and repository.root != folder:
        found = _override_in(repository.root, warnings)
        if found is not None:
            return Resolution(found[0], settings.host, "override", found[1], tuple(warnings))
    return _from_git(repository, settings, warnings)


def _named(text: str, is_option: bool, settings: ClientConfig) -> Resolution:
    source = "option" if is_option else settings.sources.get("project", "option")
    rule = {FROM_ENV: "environment", FROM_FILE: "config"}.get(source, "option")
    detail = {
        "option": "--project",
        "environment": "COMMONPLACE_PROJECT",
        "config": f"project in {settings.config_path}",
    }[rule]
    return Resolution(project_key(text, detail), settings.host, rule, detail)


def project_key(text: str, label: str) -> str:
    """Return a project key from what a person wrote: a key, `project:` and a key, or a remote URL.

    Raises: Invalid or UnknownScopeForm; a URL is never repeated.
    """
    key = text.strip().removeprefix("project:")
    if "://" in key or scope_remote.looks_like_login(key):
        found = canonical(key)
        if found is None:
            raise Invalid(f"{label} is a URL no project can be read from; give host/owner/repo")
        return found
    segments = key.split("/")
    if set(key) <= _SAFE_KEY and not {"", ".", ".."} & set(segments) and len(key) < 200:
        return "/".join([segments[0].lower(), *segments[1:]])
    from commonplace.domain import scope as scopes

    return scopes.project(key).removeprefix("project:")


def _folder(cwd: str | None) -> str | None:
    try:
        folder = os.path.realpath(cwd if cwd is not None else os.getcwd())
    except (OSError, ValueError):
        return None
    return folder if os.path.isdir(folder) else None


def _override(folder: str, warnings: list[str]) -> tuple[str, str] | None:
    here = folder
    while True:
        found = _override_in(here, warnings)
        parent = os.path.dirname(here)
        if found is not None or parent == here:
            return found
        here = parent


def _override_in(folder: str, warnings: list[str]) -> tuple[str, str] | None:
    path = os.path.join(folder, OVERRIDE_FILE)
    try:
        with open(path, "rb") as file:
            raw = file.read(64 * 1024)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        warnings.append(f"{path} cannot be read ({error.strerror}) and was passed over")
        return None
    try:
        value = flat_toml.loads(raw.decode("utf-8-sig")).get("project")
        if not isinstance(value, str) or not value.strip():
            warnings.append(
                f'{path} names no project and was passed over: project = "host/owner/repo"'
            )
            return None
        return project_key(value, path), path
    except ValueError as error:
        why = "is not UTF-8" if isinstance(error, UnicodeError) else f"is {error}"
        warnings.append(f"{path} {why} and was passed over")
    except Invalid as error:
        warnings.append(f"{path} was passed over: {error.message}")
    return None


def _from_git(
    repository: scope_git.Repository, settings: ClientConfig, warnings: list[str]
) -> Resolution:
    host = settings.host
    asker = Asker(ASK_BUDGET_S, settings.home)
    try:
        remotes = scope_git.remotes(repository)
        urls = _urls(repository, remotes, asker)
    except ValueError as error:
        warnings.append(f"{repository.root}: {error}; name the project in {OVERRIDE_FILE}")
        return Resolution(None, host, "none", str(error), tuple(warnings))
    for name, url in urls:
        key = canonical(url, asker.ssh_hostname)
        shown = ascii(name)[1:-1][:40]
        if key is not None:
            warnings.extend(_ALIAS_MISS.format(alias) for alias in asker.misses)
            rule = name if name in _PREFERRED else "only-remote"
            return Resolution(
                key, host, rule, f"remote {shown} of {repository.root}", tuple(warnings)
            )
        warnings.append(f"remote {shown} names no place that others share and was passed over")
    if len(remotes.urls) > 1 and not urls:
        warnings.append(
            f"several remotes and none is origin or upstream: name the project in {OVERRIDE_FILE}"
        )
    return _local(repository, host, warnings)


def _urls(
    repository: scope_git.Repository, remotes: scope_git.Remotes, asker: Asker
) -> list[tuple[str, str]]:
    """Return name and URL of the remotes that may give the key, best first, as git would use them.

    Raises: ValueError when git is needed for it and gives no answer.
    """
    if remotes.includes and "origin" not in remotes.certain:
        answered = asker.remote_urls(repository)
        if answered is None:
            raise ValueError(_NO_GIT)
        return _ordered(answered)
    found: list[tuple[str, str]] = []
    for name, url in _ordered(remotes.urls):
        # A host named in full is what the remote is called on every machine; what a mirror's
        # `insteadOf` makes of it on one of them is not.
        asked = url if scope_remote.has_dotted_host(url) else asker.remote_url(repository, name)
        if asked is None:
            raise ValueError(_NO_GIT)
        found.append((name, asked))
    return found


def _ordered(urls: dict[str, str]) -> list[tuple[str, str]]:
    named = [(name, urls[name]) for name in _PREFERRED if name in urls]
    return named or (list(urls.items()) if len(urls) == 1 else [])


def _local(repository: scope_git.Repository, host: str, warnings: list[str]) -> Resolution:
    """Name a repository nobody else has: by this host, its folder and a hash of its real path."""
    root = os.path.realpath(repository.root)
    folder = _as_segment(os.path.basename(root).removesuffix(".git"))
    key = f"local/{host}/{folder}-{_sha256_hex(os.fsencode(root))[:6]}"
    return Resolution(
        key, host, "local", f"{root} has no remote that others share", tuple(warnings)
    )


def _as_segment(folder: str) -> str:
    """Return a folder's name with what a project key cannot hold replaced."""
    if not folder.isascii():
        import unicodedata

        folder = unicodedata.normalize("NFC", folder)
    safe = "".join(char if char.isalnum() or char in "-_." else "-" for char in folder)
    return safe.strip("-._")[:80] or "repository"


def _sha256_hex(raw: bytes) -> str:
    # hashlib loads OpenSSL, which takes longer than all the rest of the hook.
    try:
        from _sha2 import sha256  # pyright: ignore
    except ImportError:
        try:
            from _sha256 import sha256  # pyright: ignore
        except ImportError:
            from hashlib import sha256
    return str(sha256(raw).hexdigest())  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
