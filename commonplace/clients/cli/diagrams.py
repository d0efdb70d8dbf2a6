"""Writes a graph as Mermaid or Graphviz source; whatever a name holds, it stays a label."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from commonplace.domain.text import one_line

Reply = dict[str, Any]


def mermaid(reply: Reply) -> str:
    """Return a Mermaid flowchart."""
    return "\n".join(["flowchart LR", *_mermaid_lines(reply)])


def dot(reply: Reply) -> str:
    """Return a Graphviz digraph."""
    lines = ["digraph commonplace {", "  rankdir=LR;", "  node [shape=box];"]
    ids, labels = _ids(reply), _labels(reply, _in_dot, "\\n")
    for node, label in zip(reply["nodes"], labels, strict=True):
        about = _in_dot(one_line(node["description"]))
        dashed = "" if node["resolved"] else ", style=dashed"
        lines.append(f'  {ids[_key(node)]} [label="{label}", tooltip="{about}"{dashed}];')
    for edge in reply["edges"]:
        ends = f"{ids[_key(edge['source'])]} -> {ids[_key(edge['target'])]}"
        dotted = ", style=dotted" if edge["origin"] != "authored" else ""
        lines.append(f'  {ends} [label="{_in_dot(one_line(edge["type"]))}"{dotted}];')
    return "\n".join([*lines, "}"])


def _mermaid_lines(reply: Reply) -> Iterator[str]:
    ids, labels = _ids(reply), _labels(reply, _in_mermaid, "<br/>")
    for node, label in zip(reply["nodes"], labels, strict=True):
        yield f'  {ids[_key(node)]}["{label}"]'
    for edge in reply["edges"]:
        arrow = "-->" if edge["origin"] == "authored" else "-.->"
        kind = _in_mermaid(one_line(edge["type"]))
        yield f'  {ids[_key(edge["source"])]} {arrow}|"{kind}"| {ids[_key(edge["target"])]}'
    missing = [ids[_key(node)] for node in reply["nodes"] if not node["resolved"]]
    if missing:
        yield "  classDef missing stroke-dasharray: 4 4"
        yield f"  class {','.join(missing)} missing"


def _ids(reply: Reply) -> dict[tuple[str, str], str]:
    return {_key(node): f"n{number}" for number, node in enumerate(reply["nodes"])}


def _labels(reply: Reply, escape: Callable[[str], str], line_break: str) -> Iterator[str]:
    home = reply["nodes"][0]["scope"]
    for node in reply["nodes"]:
        label = escape(one_line(node["name"]))
        if node["scope"] != home:
            label += line_break + escape(one_line(node["scope"]))
        yield label


def _in_mermaid(text: str) -> str:
    """Return text in which only letters, digits and a few marks stand for themselves.

    Source: Mermaid's entity codes, `#` and the character's decimal code, then `;`.
    """
    return "".join(
        char if char.isalnum() or char in " ._-/:" else f"#{ord(char)};" for char in text
    )


def _in_dot(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _key(place: Reply) -> tuple[str, str]:
    return place["scope"], place["name"]
