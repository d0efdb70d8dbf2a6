"""Draws a graph as a tree in a terminal: each link once, circles and repeats marked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from commonplace.clients.cli.layout import cells, clip
from commonplace.clients.cli.render import Style
from commonplace.domain.text import one_line

Reply = dict[str, Any]
_Key = tuple[str, str]
_LEAST = 20


def draw(reply: Reply, style: Style, width: int) -> str:
    """Return the tree, root first: `→` a link from the line above, `←` one to it."""
    return "\n".join(_Tree(reply, style, width).lines())


def chain(reply: Reply, style: Style) -> str:
    """Return a path, one memory a line; "" where there is none."""
    if reply.get("path") is None:
        return ""
    nodes = {_key(node): node for node in reply["nodes"]}
    first = reply["nodes"][0]
    home = first["scope"]
    lines = [_title(first, home, style)]
    for edge in reply["path"]:
        title = _title(nodes[_key(edge["target"])], home, style)
        lines.append(f"  → {style.dim(one_line(edge['type']))} {title}")
    return "\n".join(lines)


class _Tree:
    def __init__(self, reply: Reply, style: Style, width: int) -> None:
        self._style = style
        self._width = width
        self._nodes: dict[_Key, Reply] = {_key(node): node for node in reply["nodes"]}
        self._root = reply["nodes"][0]
        self._at: dict[_Key, list[int]] = defaultdict(list)
        self._edges: list[Reply] = reply["edges"]
        for number, edge in enumerate(self._edges):
            self._at[_key(edge["source"])].append(number)
            self._at[_key(edge["target"])].append(number)
        self._parents = self._grow()
        self._drawn: set[int] = set()
        self._seen: set[_Key] = set()

    def lines(self) -> Iterator[str]:
        root = _key(self._root)
        yield clip_styled(
            _title(self._root, self._root["scope"], self._style), self._about(root), self._width
        )
        yield from self._below(root, "", (root,))

    def _grow(self) -> dict[int, _Key]:
        """Return the links that first lead to a memory from one a step nearer, and to whom."""
        grown: dict[int, _Key] = {}
        reached: set[_Key] = set()
        for key, node in self._nodes.items():
            for number in self._at[key]:
                other = self._other(number, key)
                nearer = self._nodes[other]["depth"] == node["depth"] - 1
                if nearer and key not in reached:
                    reached.add(key)
                    grown[number] = key
        return grown

    def _below(self, key: _Key, indent: str, line: tuple[_Key, ...]) -> Iterator[str]:
        self._seen.add(key)
        numbers = [number for number in self._at[key] if self._belongs(number, key)]
        self._drawn.update(numbers)
        for number in numbers:
            last = number == numbers[-1]
            other = self._other(number, key)
            grows = self._parents.get(number) == other
            yield self._branch(number, key, indent + ("└─ " if last else "├─ "), line)
            if grows:
                yield from self._below(other, indent + ("   " if last else "│  "), (*line, other))

    def _belongs(self, number: int, key: _Key) -> bool:
        """Say whether a link hangs below this memory: not drawn yet, and not what grew to it."""
        return number not in self._drawn and self._parents.get(number) != key

    def _branch(self, number: int, key: _Key, lead: str, line: tuple[_Key, ...]) -> str:
        edge, other = self._edges[number], self._other(number, key)
        node = self._nodes[other]
        arrow = "→" if _key(edge["source"]) == key else "←"
        kind = self._style.dim(one_line(edge["type"]))
        text = f"{lead}{arrow} {kind} {_title(node, self._root['scope'], self._style)}"
        if self._parents.get(number) == other:
            return clip_styled(text, self._about(other), self._width)
        mark = "↺ circle" if other in line else "above" if other in self._seen else "below"
        return f"{text} {self._style.dim(f'({mark})')}"

    def _about(self, key: _Key) -> str:
        return str(self._nodes[key]["description"])

    def _other(self, number: int, key: _Key) -> _Key:
        edge = self._edges[number]
        source = _key(edge["source"])
        return _key(edge["target"]) if source == key else source


def clip_styled(text: str, about: str, width: int) -> str:
    """Return a line and, as far as it fits, what it is about."""
    room = width - cells(one_line(text)) - 2
    return f"{text}: {clip(about, room)}" if about and room >= _LEAST else text


def _title(node: Reply, home: str, style: Style) -> str:
    title = style.bold(one_line(node["name"]))
    if node["scope"] != home:
        title += f" in {one_line(node['scope'])}"
    marks = [word for word in ("superseded", "expired") if node.get(word)]
    if not node["resolved"]:
        marks.append("not there yet")
    return title + (f" ({', '.join(marks)})" if marks else "")


def _key(place: Reply) -> _Key:
    return place["scope"], place["name"]
