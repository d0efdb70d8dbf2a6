"""The operations on links: link, unlink, graph, path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from commonplace.domain.graph import Edge
from commonplace.protocol.replies import (
    EdgeView,
    GraphReply,
    LinkReply,
    NodeView,
    PathReply,
    Ref,
)
from commonplace.protocol.requests import (
    GraphRequest,
    LinkRequest,
    PathRequest,
    UnlinkRequest,
)
from commonplace.service import views
from commonplace.service.context import Caller, Context
from commonplace.service.naming import (
    in_range,
    locate,
    locate_near,
    read_direction,
    read_link,
    read_link_types,
)
from commonplace.store.edges import Linked, Node, Roads

_DEPTH_MAX = 10
_PATH_MAX = 20
_NODES_MAX = 1000


def link(context: Context, caller: Caller, request: LinkRequest) -> LinkReply:
    """Link one memory to another; both texts stay as they are.

    supersedes: the first replaces the other, which leaves index and recall. Example: name
    "db-port-2027", type "supersedes", to_name "db-port".
    """
    edge = read_link(request.type, request.to_name, request.to_scope)
    place = locate(context.store, request.name, request.scope)
    done = context.store.link(*place, edge, author=caller.author(request.agent))
    action = "linked" if done.changed else "already-linked"
    return _reply(context, done, action, _elsewhere(context, done))


def unlink(context: Context, caller: Caller, request: UnlinkRequest) -> LinkReply:
    """Take a link away; what it superseded comes back.

    Not for a [[name]] in a body: update that.
    """
    edge = read_link(request.type, request.to_name, request.to_scope)
    place = locate(context.store, request.name, request.scope)
    done = context.store.unlink(*place, edge, author=caller.author(request.agent))
    if done.changed:
        return _reply(context, done, "unlinked", ())
    return _reply(context, done, "not-linked", ("there was no such link; nothing was changed",))


def graph(context: Context, _caller: Caller, request: GraphRequest) -> GraphReply:
    """Show the memories and links some steps around one, [[name]] mentions too.

    Not for the links of one memory: get.
    """
    depth = in_range("depth", request.depth, 1, _DEPTH_MAX)
    limit = in_range("limit", request.limit, 1, _NODES_MAX)
    roads = Roads(depth, read_link_types(request.types), read_direction(request.direction))
    place = locate(context.store, request.name, request.scope)
    found = context.store.walk(*place, roads, limit)
    return GraphReply(
        nodes=_nodes(found.nodes),
        edges=_edges(found.edges, found.nodes),
        left_out=found.left_out,
        beyond=found.beyond,
        at_least=found.cut,
    )


def path(context: Context, _caller: Caller, request: PathRequest) -> PathReply:
    """Show the shortest chain of links, along their direction, from one memory to another.

    Without one: unreachable, or depth-exceeded if only a longer one may exist.
    """
    depth = in_range("max_depth", request.max_depth, 1, _PATH_MAX)
    roads = Roads(depth, read_link_types(request.types), "out")
    start = locate(context.store, request.name, request.scope)
    goal = locate_near(context.store, request.to_name, request.to_scope, start[0])
    found = context.store.path(start, goal, roads)
    if found.edges is None:
        return PathReply(reason=found.reason)
    return PathReply(path=_edges(found.edges, found.nodes), nodes=_nodes(found.nodes))


def _reply(context: Context, done: Linked, action: str, warnings: tuple[str, ...]) -> LinkReply:
    held = context.store.get(done.scope, done.name)
    return LinkReply(
        scope=done.scope,
        name=done.name,
        type=done.type,
        to_scope=done.to_scope,
        to_name=done.to_name,
        action=action,
        resolved=done.resolved,
        links=tuple(views.link(row) for row in held.links_out if row.origin == "authored"),
        warnings=warnings,
    )


def _elsewhere(context: Context, done: Linked) -> tuple[str, ...]:
    """Warn of a target that is not there, and tell where its name is borne."""
    if done.resolved:
        return ()
    found = context.store.scopes_of(done.to_name)
    where = f"; it is in {', '.join(found)}: name it with to_scope" if found else ""
    return (f"{done.to_scope} {done.to_name} is not there yet, the link waits for it{where}",)


def _nodes(nodes: Iterable[Node]) -> tuple[NodeView, ...]:
    return tuple(
        NodeView(
            scope=node.scope,
            name=node.name,
            depth=node.depth,
            type=node.type,
            description=node.description,
            resolved=node.resolved,
            superseded=node.superseded,
            expired=node.expired,
        )
        for node in nodes
    )


def _edges(edges: Iterable[Edge], nodes: Sequence[Node]) -> tuple[EdgeView, ...]:
    refs = {node.key: Ref(scope=node.scope, name=node.name) for node in nodes}
    return tuple(
        EdgeView(
            source=refs[edge.source],
            type=edge.type,
            target=refs[edge.target],
            origin=edge.origin,
        )
        for edge in edges
    )
