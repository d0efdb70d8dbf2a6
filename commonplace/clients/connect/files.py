"""Reads settings files whole and writes them whole or not at all; shows what would change."""

from __future__ import annotations

import difflib
import os
import re
import stat
from contextlib import suppress
from pathlib import Path

from commonplace.errors import Invalid

_MAX_BYTES = 64 * 1024 * 1024
_MAX_LINE = 300
_SECRET_LINE = re.compile(r"authorization|bearer|token|secret|passw|api.?key|credential", re.I)
_VALUE = re.compile(r"(?<=[:=])(\s*)(\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\s,\"'\[{][^,]*)")
_NAMES_A_VARIABLE = re.compile(
    r"\$\{[\w:]+\}|\{(?:env|file):[^}]*\}|\bCOMMONPLACE_TOKEN\b|token_file|\$\(cat "
)


def read(path: Path) -> str | None:
    """Return a file's text, line ends and byte order mark included; None when it is not there.

    Raises: Invalid when it cannot be read or is no UTF-8 text.
    """
    try:
        with path.open("rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Invalid(f"{path} is no file; move it away", file=str(path))
            raw = file.read(_MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Invalid(f"cannot read {path}: {error.strerror}; check its rights") from None
    if len(raw) > _MAX_BYTES:
        raise Invalid(f"{path} is larger than {_MAX_BYTES} bytes; it was left alone")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Invalid(
            f"{path} is not UTF-8 at byte {error.start}; it was left alone, save it as UTF-8",
            file=str(path),
        ) from None


def write(path: Path, text: str, *, private: bool) -> list[Path]:
    """Write a file whole, keeping its mode and the links that lead to it; return folders made.

    Raises: Invalid when it cannot be written.
    """
    target = Path(os.path.realpath(path))
    draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        made = _make_folders(target.parent)
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        if mode is not None and not os.access(target, os.W_OK):
            raise Invalid(f"{path} is read-only; it was left alone", file=str(path))
        descriptor = os.open(
            draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666
        )
        try:
            with open(descriptor, "wb") as file:
                if mode is not None:
                    os.chmod(descriptor, mode & 0o700 if private else mode)
                file.write(text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            draft.replace(target)
        except OSError:
            draft.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise Invalid(f"cannot write {path}: {error.strerror}; check its rights") from None
    return made


def remove(path: Path) -> None:
    """Take away a file.

    Raises: Invalid when the file cannot be taken away.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise Invalid(f"cannot remove {path}: {error.strerror}; check its rights") from None


def remove_empty(folders: list[Path]) -> None:
    """Take away those of the folders in which nothing is left."""
    for folder in sorted(set(folders), key=lambda each: -len(each.parts)):
        with suppress(OSError):  # somebody else's files are in it by now, or it is gone
            folder.rmdir()


def diff(path: Path, before: str | None, after: str | None) -> str:
    """Return a unified diff in which no line shows what may be a secret."""
    lines = difflib.unified_diff(
        _shown(before),
        _shown(after),
        "/dev/null" if before is None else str(path),
        "/dev/null" if after is None else str(path),
        n=1,
        lineterm="",
    )
    return "\n".join(lines)


def _shown(text: str | None) -> list[str]:
    return [_masked(line.removesuffix("\r")) for line in (text or "").split("\n")]


def _masked(line: str) -> str:
    if len(line) > _MAX_LINE:
        return f"(a line of {len(line)} characters)"
    if _SECRET_LINE.search(line) and not _NAMES_A_VARIABLE.search(line):
        return _VALUE.sub(r'\1"…"', line)
    return line


def _make_folders(folder: Path) -> list[Path]:
    made: list[Path] = []
    while not folder.exists():
        made.append(folder)
        folder = folder.parent
    for each in reversed(made):
        each.mkdir(mode=0o700)
    return made
