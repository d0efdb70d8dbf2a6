"""Which memories a body mentions: `[[name]]`, `[[name|shown]]`, `[[name#part]]`, `[[scope/name]]`.

A scope is written whole before the last slash: `[[global/name]]`, `[[host:laptop/name]]`,
`[[project:github.com/acme/app/name]]`. Code spans, fenced code, HTML comments and what a backslash
stands before are no mentions; nor is what could not be a memory's name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator

from commonplace.domain import scope as scopes
from commonplace.domain.memory import MENTIONS, Link
from commonplace.domain.text import check_name
from commonplace.errors import Invalid

# Source: chosen; more than any page links to, few enough to bind in one write.
MOST = 2000

_TOKEN = re.compile(
    r"(?m:^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?P<fence>`{3,}(?=[^`\n]*$)|~{3,}))"
    r"|(?P<comment><!--)"
    r"|\\(?s:.)"
    r"|(?P<ticks>`+)"
    r"|\[\[(?P<target>[^\[\]\n|#]{1,400})(?:[|#][^\[\]\n]*)?\]\]"
)
_TICKS = re.compile(r"`+")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


def mentions(body: str) -> tuple[Link, ...]:
    """Return what a body mentions, each once, in order; a scope that is not written is None.

    Shapes: at most `MOST`; the rest of a longer list is left out.
    """
    found: dict[Link, None] = {}
    if "[[" not in body:
        return ()
    for target in _targets(body):
        link = _read(target)
        if link is not None:
            found[link] = None
        if len(found) == MOST:
            break
    return tuple(found)


def _read(target: str) -> Link | None:
    scope, slash, name = target.strip().rpartition("/")
    try:
        where = scopes.parse(scope.strip()) if slash else None
        return Link(MENTIONS, check_name(name.strip()), where, "body")
    except Invalid:
        return None


def _targets(body: str) -> Iterator[str]:
    spans = _CodeSpans(body)
    at = 0
    while token := _TOKEN.search(body, at):
        at = token.end()
        if token["fence"]:
            at = _fence_end(body, at, token["fence"])
        elif token["comment"]:
            end = body.find("-->", at)
            at = len(body) if end < 0 else end
        elif token["ticks"]:
            at = spans.end(token.start(), at)
        elif token["target"]:
            yield token["target"]


def _fence_end(body: str, at: int, mark: str) -> int:
    """Return where a fence ends: at a line of as many marks, else at the end of the text."""
    closing = re.compile(rf"(?m)^[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
    end = closing.search(body, at)
    return len(body) if end is None else end.end()


class _CodeSpans:
    """Where the code spans of a text end; every run of backticks is looked at once."""

    def __init__(self, body: str) -> None:
        self._runs: dict[int, list[int]] = defaultdict(list)
        for run in _TICKS.finditer(body):
            self._runs[len(run[0])].append(run.start())
        self._paragraphs = [blank.start() for blank in _BLANK_LINE.finditer(body)]
        self._size = len(body)

    def end(self, start: int, at: int) -> int:
        """Return where a span opened by the run `start` to `at` ends; `at` where it opens none."""
        size = at - start
        closings = self._runs[size]
        next_ = bisect_right(closings, start)
        border = bisect_right(self._paragraphs, start)
        last = self._paragraphs[border] if border < len(self._paragraphs) else self._size
        if next_ < len(closings) and closings[next_] < last:
            return closings[next_] + size
        return at
