"""The only printer: results to stdout, messages to stderr, nothing a terminal would obey."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import unicodedata
from dataclasses import dataclass
from typing import Any, TextIO

from commonplace.domain.text import one_line, visible
from commonplace.errors import CommonplaceError, Internal

_OWN_STYLE = re.compile(r"(\x1b\[\d{1,2}m)")
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_UNBOUNDED = 100_000


@dataclass(frozen=True, slots=True)
class Style:
    """Turns emphasis into escape sequences, or into nothing."""

    on: bool

    def bold(self, text: str) -> str:
        """Mark what the eye should find first."""
        return self._wrap("1", text)

    def dim(self, text: str) -> str:
        """Mark what is only there for reference."""
        return self._wrap("2", text)

    def red(self, text: str) -> str:
        """Mark a failure or a removed line."""
        return self._wrap("31", text)

    def green(self, text: str) -> str:
        """Mark an added line."""
        return self._wrap("32", text)

    def _wrap(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text


class Output:
    """Where one command's result and messages go."""

    def __init__(self, *, as_json: bool, color: bool) -> None:
        """Bind to the process's streams; `color` False turns it off even on a terminal."""
        self.as_json = as_json
        self.style = Style(color and _is_terminal(sys.stdout))
        self._error_style = Style(color and _is_terminal(sys.stderr))
        self.width = shutil.get_terminal_size((_UNBOUNDED, 24)).columns

    def show(self, value: Any, text: str) -> None:
        """Print the value as JSON where that was asked for, else the text."""
        if self.as_json:
            self.json(value)
        elif text:
            self.text(text)

    def text(self, text: str) -> None:
        """Print text for people, every escape but our own taken out."""
        line = text if text.endswith("\n") else text + "\n"
        _write(sys.stdout, _encoded(_harmless(line, self.style.on), sys.stdout))

    def json(self, value: Any) -> None:
        """Print one JSON value; what no eye can see is escaped, so a terminal is safe too."""
        text = json.dumps(value, ensure_ascii=False, indent=2)
        _write(sys.stdout, _escape_unseen(text).encode() + b"\n")

    def exact(self, text: str) -> None:
        """Print a stored text byte for byte; on a terminal, made visible first."""
        shown = _harmless(text, styled=False) if _is_terminal(sys.stdout) else text
        _write(sys.stdout, shown.encode("utf-8", "surrogatepass"))

    def note(self, message: str) -> None:
        """Tell the person something that is not the result."""
        style = self._error_style
        self._complain(style.dim("\n".join(one_line(line) for line in message.splitlines())))

    def error(self, error: CommonplaceError) -> None:
        """Print a failure: code, what it was about, next step."""
        if self.as_json:
            details = {"code": error.code, "message": error.message, "details": error.details}
            self.json({"error": details})
        self._complain(f"{self._error_style.red('error')} {error.code}: {one_line(error.message)}")

    def usage(self, message: str, hint: str) -> None:
        """Print how a command line was wrong, and where the right form is."""
        if self.as_json:
            self.json({"error": {"code": "USAGE", "message": message, "details": {"hint": hint}}})
        self._complain(f"{self._error_style.red('error')} USAGE: {one_line(message)}; {hint}")

    def _complain(self, text: str) -> None:
        safe = _harmless(text + "\n", self._error_style.on)
        _write(sys.stderr, _encoded(safe, sys.stderr))


def _harmless(text: str, styled: bool) -> str:
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    if not styled:
        return visible(text)
    parts = _OWN_STYLE.split(text)
    return "".join(part if at % 2 else visible(part) for at, part in enumerate(parts))


def _escape_unseen(text: str) -> str:
    if text.replace("\n", "").isprintable():
        return text
    return "".join(
        json.dumps(char)[1:-1] if char != "\n" and unicodedata.category(char) in _UNSEEN else char
        for char in text
    )


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _encoded(text: str, stream: TextIO | None) -> bytes:
    encoding = stream.encoding if stream is not None else "utf-8"
    return text.encode(encoding or "utf-8", "backslashreplace")


def _write(stream: TextIO | None, data: bytes) -> None:
    if stream is None:
        return  # the caller closed it, so nobody wants to read it
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()
    except OSError as error:
        # What is left in the buffer must not make the interpreter's own last flush complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if isinstance(error, BrokenPipeError):
            return  # the reader has had enough, and nobody is left to tell
        raise Internal(f"cannot write the result: {error.strerror}; try again") from None
