"""Finds the repository a folder belongs to and reads its remotes, from its files alone.

Whose the files are does not matter, so that git's "dubious ownership" cannot hide a project.
"""

from __future__ import annotations

import os

_MAX_CONFIG_BYTES = 4 * 1024 * 1024
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\"}


class Repository:
    """A repository on this disk: where its folder and its files are.

    `root` is the main checkout, also when asked from a linked worktree; of a bare one it is the
    repository itself. `git_dir` is the worktree's own, `common_dir` holds the config.
    """

    __slots__ = ("common_dir", "git_dir", "linked", "root")

    def __init__(self, root: str, git_dir: str, common_dir: str, *, linked: bool) -> None:
        """Take absolute real paths."""
        self.root = root
        self.git_dir = git_dir
        self.common_dir = common_dir
        self.linked = linked


class Remotes:
    """The remotes in a repository's config: names in order of appearance, each with its first URL.

    `certain` names those whose URL no included file could have preceded.
    """

    __slots__ = ("certain", "includes", "urls")

    def __init__(self) -> None:
        """Begin empty."""
        self.urls: dict[str, str] = {}
        self.certain: set[str] = set()
        self.includes = False


def find(folder: str, stop: tuple[str, ...]) -> Repository | None:
    """Return the repository `folder` is in; a folder in `stop` is never one, nor any above it."""
    here = folder
    while here not in stop:
        found = _checkout(here) or _bare(here)
        if found is not None:
            return found
        parent = os.path.dirname(here)
        if parent == here:
            return None
        here = parent
    return None


def _checkout(folder: str) -> Repository | None:
    dot_git = os.path.join(folder, ".git")
    if os.path.isfile(dot_git):
        pointer = _read(dot_git, 4096)
        if pointer is None or not pointer.startswith("gitdir:"):
            return None
        git_dir = os.path.realpath(os.path.join(folder, pointer[7:].strip()))
    elif os.path.isdir(dot_git):
        git_dir = os.path.realpath(dot_git)
    else:
        return None
    return _repository(folder, git_dir)


def _repository(folder: str, git_dir: str) -> Repository | None:
    if not os.path.lexists(os.path.join(git_dir, "HEAD")):
        return None
    common = _read(os.path.join(git_dir, "commondir"), 4096)
    if common is None:
        return Repository(folder, git_dir, git_dir, linked=False)
    common_dir = os.path.realpath(os.path.join(git_dir, common.strip()))
    return Repository(_main_checkout(common_dir), git_dir, common_dir, linked=True)


def _main_checkout(common_dir: str) -> str:
    """Return the folder a linked worktree's repository was checked out to first."""
    if os.path.basename(common_dir) == ".git":
        return os.path.dirname(common_dir)
    try:
        values = parse_config(_read(os.path.join(common_dir, "config"), _MAX_CONFIG_BYTES) or "")
    except ValueError:
        return common_dir
    worktree = [
        value for section, _, key, value in values if (section, key) == ("core", "worktree")
    ]
    return os.path.realpath(os.path.join(common_dir, worktree[-1])) if worktree else common_dir


def _bare(folder: str) -> Repository | None:
    inside = all(os.path.exists(os.path.join(folder, name)) for name in ("HEAD", "objects", "refs"))
    if not inside:
        return None
    if os.path.basename(folder) == ".git":
        return Repository(os.path.dirname(folder), folder, folder, linked=False)
    return _repository(folder, folder)


def remotes(repository: Repository) -> Remotes:
    """Read the repository's own config file.

    Raises: ValueError when it cannot be read or is damaged.
    """
    text = _read(os.path.join(repository.common_dir, "config"), _MAX_CONFIG_BYTES)
    if text is None:
        raise ValueError("its config file cannot be read")
    found = Remotes()
    for section, name, key, value in parse_config(text):
        if section in {"include", "includeif"} and key == "path":
            found.includes = True
        elif section == "remote" and key == "url" and name:
            if not value:  # an empty value takes back the ones before
                found.urls.pop(name, None)
            elif name not in found.urls:
                found.urls[name] = value
                if not found.includes:
                    found.certain.add(name)
    return found


def parse_config(text: str) -> list[tuple[str, str, str, str]]:
    """Return (section, subsection, key, value) for every entry of a git config file, in order.

    Sections and keys are lower-cased, as git compares them; a key without `=` has the value "true".
    Raises: ValueError naming the line.
    """
    entries: list[tuple[str, str, str, str]] = []
    section = subsection = ""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        at += 1
        if line.startswith("["):
            section, subsection, line = _section(line, at)
            line = line.strip()
        if not line or line[0] in "#;":
            continue
        key, equals, rest = line.partition("=")
        if equals:
            value, at = _value(rest, lines, at)
        else:
            key, value = key.partition("#")[0].partition(";")[0], "true"
        if not key.strip().replace("-", "").isalnum():
            raise ValueError(f"its config file is damaged at line {at}")
        entries.append((section, subsection, key.strip().lower(), value))
    return entries


def _section(line: str, at: int) -> tuple[str, str, str]:
    """Read `[name]`, `[name "sub"]` or the old `[name.sub]`; return both and the line's rest."""
    quote = line.find('"')
    close = line.find("]")
    if 0 <= quote < close or (close < 0 <= quote):
        name, sub, pos = line[1:quote].strip(), "", quote + 1
        while pos < len(line) and line[pos] != '"':
            pos += line[pos] == "\\"
            sub += line[pos : pos + 1]
            pos += 1
        if line[pos + 1 : pos + 2] == "]":
            return name.lower(), sub, line[pos + 2 :]
    elif close > 0:
        name, _, sub = line[1:close].strip().partition(".")
        return name.lower(), sub.lower(), line[close + 1 :]
    raise ValueError(f"its config file is damaged at line {at}")


def _value(rest: str, lines: list[str], at: int) -> tuple[str, int]:
    """Read a value with git's quotes, escapes, comments and continued lines."""
    value, kept, quoted, pos = "", 0, False, 0
    rest = rest.lstrip()
    while pos < len(rest):
        char = rest[pos]
        pos += 1
        if char == "\\" and pos == len(rest):
            rest, pos, at = (lines[at], 0, at + 1) if at < len(lines) else ("", 0, at)
            continue
        if char == "\\":
            char = _ESCAPES.get(rest[pos], "")
            pos += 1
            if not char:
                raise ValueError(f"its config file is damaged at line {at}")
        elif char == '"':
            quoted = not quoted
            kept = len(value)
            continue
        elif char in "#;" and not quoted:
            break
        value += char
        if quoted or not char.isspace():
            kept = len(value)
    if quoted:
        raise ValueError(f"its config file is damaged at line {at}")
    return value[:kept], at


def _read(path: str, limit_bytes: int) -> str | None:
    try:
        with open(path, "rb") as file:
            return file.read(limit_bytes).decode("utf-8", "surrogateescape")
    except OSError:
        return None
