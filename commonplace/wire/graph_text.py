"""How links and graphs read for a model: one line a memory, one line a link, within a bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonplace.domain.text import one_line
from commonplace.protocol import replies

BUDGET = 20_000
_LINE_WIDTH = 200


def link(reply: replies.LinkReply) -> str:
    """Return what a link or unlink did."""
    edge = f"{reply.scope} {reply.name} {reply.type} {reply.to_scope} {reply.to_name}"
    return "\n".join(
        [f"{reply.action}: {edge}", *(f"warning: {warning}" for warning in reply.warnings)]
    )


def web(reply: replies.GraphReply, notice: str) -> str:
    """Return what lies around a memory; what does not fit is counted, not shown."""
    root = reply.nodes[0]
    lines = [
        f"Around {root.scope} {root.name}: {len(reply.nodes) - 1} memories,"
        f" {len(reply.edges)} links {notice}",
        *_left_out(reply),
    ]
    left = BUDGET - sum(map(len, lines))
    nodes = _fitting([_node(node) for node in reply.nodes], left // 2)
    edges = _fitting([_edge(edge) for edge in reply.edges], left - sum(map(len, nodes)))
    return "\n".join([*lines, *nodes, "links:", *edges])


def path(reply: replies.PathReply, notice: str) -> str:
    """Return the chain of links, or why there is none."""
    if reply.path is None:
        longer = "; a longer path may exist, raise max_depth"
        return f"no path: {reply.reason}{longer if reply.reason == 'depth-exceeded' else ''}"
    if not reply.path:
        return "a path of 0 links: both are the same memory"
    lines = [f"a path of {len(reply.path)} links {notice}"]
    return "\n".join([*lines, *map(_edge, reply.path), *map(_node, reply.nodes)])


def _left_out(reply: replies.GraphReply) -> Iterator[str]:
    least = "at least " if reply.at_least else ""
    if reply.left_out:
        yield f"left out: {least}{reply.left_out} memories; raise limit or lower depth"
    if reply.beyond:
        yield f"one step deeper: {least}{reply.beyond} more; raise depth"


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return [*kept, f"({len(lines) - len(kept)} more lines left out for length)"]
        kept.append(line)
    return kept


def _node(node: replies.NodeView) -> str:
    marks = [f"depth {node.depth}"]
    marks += ["superseded"] * node.superseded + ["expired"] * node.expired
    if not node.resolved:
        return f"- {node.scope} {node.name} (depth {node.depth}, not there yet)"
    about = one_line(node.description, _LINE_WIDTH)
    return f"- {node.scope} {node.name} [{node.type}] {about} ({', '.join(marks)})"


def _edge(edge: replies.EdgeView) -> str:
    return (
        f"{edge.source.scope} {edge.source.name} -{edge.type}->"
        f" {edge.target.scope} {edge.target.name}"
    )
