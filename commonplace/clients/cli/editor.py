"""Lets a person edit a memory as a text file; a text that could not be saved is never lost."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from commonplace.clients.cli.document import Document, compose, parse
from commonplace.clients.cli.session import Reply, Session
from commonplace.domain.text import check_name
from commonplace.errors import Invalid

UNCHANGED = "unchanged"


def edit_document(
    session: Session,
    editor: str,
    name: str,
    before: Document,
    save: Callable[[Document], Reply],
    start: str | None = None,
) -> Reply:
    """Open the document in an editor and save what comes back, if it differs.

    `start` is a text to begin from instead of the document's own. Whatever goes wrong once the
    editor was open, the file stays and stderr says where.
    Raises: Invalid, and whatever saving is refused with.
    """
    path = _draft(session, check_name(name))
    text = compose(before)
    path.write_bytes((start or text).encode())
    try:
        _run(editor, path, quiet=session.out.as_json)
        after = parse(_read(path), before)
        if after == parse(text, before):
            path.unlink()
            session.out.note("nothing changed, nothing saved")
            return {"action": UNCHANGED, "name": name}
        reply = save(after)
    except BaseException:
        _keep(session, path, name, start or text)
        raise
    path.unlink(missing_ok=True)
    return reply


def _draft(session: Session, name: str) -> Path:
    folder = Path(session.config.state_dir) / "edits"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, path = tempfile.mkstemp(prefix=f"{name}-", suffix=".md", dir=folder)
    except OSError as error:
        raise Invalid(f"cannot write in {folder}: {error.strerror}; check its rights") from None
    os.close(handle)
    return Path(path)


def _run(editor: str, path: Path, *, quiet: bool) -> None:
    try:
        words = shlex.split(editor) or ["vi"]
    except ValueError as error:
        raise Invalid(f"editor command {editor!a}: {error}; correct $VISUAL or $EDITOR") from None
    try:
        code = subprocess.call([*words, str(path)], stdout=sys.stderr if quiet else None)  # noqa: S603 - the person's own editor
    except OSError as error:
        raise Invalid(
            f"cannot run the editor {words[0]!a}: {error.strerror}; set $EDITOR or --editor"
        ) from None
    if code != 0:
        raise Invalid(f"the editor {words[0]!a} ended with code {code}; nothing was saved")


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise Invalid(f"cannot read {path}: {error.strerror}; nothing was saved") from None
    except UnicodeDecodeError as error:
        raise Invalid(f"{path} is not UTF-8 at byte {error.start}; save it as UTF-8") from None


def _keep(session: Session, path: Path, name: str, began_as: str) -> None:
    """Say where the text is, unless it holds nothing of the person's."""
    if not path.exists():
        return
    if path.read_bytes() == began_as.encode():
        path.unlink()
        return
    session.out.note(
        f"your text is kept in {path}\nto go on from it: commonplace edit {name} --from {path}"
    )
