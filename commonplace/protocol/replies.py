"""What each operation gives. Times are UTC `…Z`; fields that are None are left out of the JSON."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkView:
    """An edge seen from the memory asked for; `resolved` is False while its end is missing."""

    type: str
    scope: str
    name: str
    origin: str
    resolved: bool
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ref:
    """Where a memory is."""

    scope: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar:
    """A live memory that may say the same; `why` names the evidence."""

    scope: str
    name: str
    description: str
    score: float
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteReply:
    """A version that is now stored, durably."""

    scope: str
    name: str
    version: int
    memory_id: str
    id: str
    author: str
    created_at: str
    action: str
    deleted_at: str | None = None
    replayed: bool = False
    warnings: tuple[str, ...] = ()
    similar: tuple[Similar, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryReply:
    """A memory, whole."""

    scope: str
    name: str
    type: str
    description: str
    body: str
    pinned: bool
    version: int
    versions: int
    id: str
    memory_id: str
    author: str
    created_at: str
    updated_at: str
    content_sha: str
    expires_at: str | None = None
    expired: bool = False
    deleted_at: str | None = None
    deleted_by: str | None = None
    links: tuple[LinkView, ...] = ()
    links_in: tuple[LinkView, ...] = ()
    superseded_by: tuple[Ref, ...] = ()
    meta: dict[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The parts of a match's score; a part that was not computed is left out.

    `words` is BM25; `coverage` that as a share of what a memory could reach that holds every word
    of the query, 0 to 1 (without vectors: as a share of the best). `cosine` is `alpha`'s other
    side: a quarter `cosine_description`, three quarters `cosine_body`. `fused` = alpha · cosine +
    (1 - alpha) · coverage, `total` = fused + boost, or what came along a link.
    """

    total: float
    words: float | None = None
    coverage: float | None = None
    cosine_description: float | None = None
    cosine_body: float | None = None
    cosine: float | None = None
    alpha: float | None = None
    fused: float | None = None
    boost: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One memory found; `body` is given only while the budget lasts, `snippet` always."""

    scope: str
    name: str
    type: str
    description: str
    version: int
    author: str
    updated_at: str
    pinned: bool
    score: Score
    snippet: str
    body: str | None = None
    via: str | None = None
    superseded_by: tuple[Ref, ...] = ()
    expired: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallReply:
    """Matches, best first; `meaning` tells whether vectors took part, `notes` what to know."""

    matches: tuple[Match, ...]
    meaning: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReply:
    """The text for a session's start."""

    text: str
    shown: int
    total: int
    left_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A memory in one line."""

    scope: str
    name: str
    type: str
    description: str
    pinned: bool
    updated_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListReply:
    """Memories in index order."""

    memories: tuple[Line, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionView:
    """One version: `action` is what made it, `changed` what differs from the one before."""

    version: int
    id: str
    memory_id: str
    scope: str
    name: str
    type: str
    description: str
    body: str
    pinned: bool
    author: str
    created_at: str
    action: str
    changed: tuple[str, ...]
    expires_at: str | None = None
    deleted_at: str | None = None
    deleted_by: str | None = None
    diff: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkChangeView:
    """A link made or taken away, apart from any version; `done` is linked or unlinked."""

    at: str
    author: str
    done: str
    type: str
    scope: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryReply:
    """Every version and every change of links, oldest first."""

    scope: str
    name: str
    versions: tuple[VersionView, ...]
    links: tuple[LinkChangeView, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkReply:
    """What a link or unlink did; `resolved` is False while the target is not there.

    `action` is linked, already-linked, unlinked or not-linked; `links` are the authored ones now.
    """

    scope: str
    name: str
    type: str
    to_scope: str
    to_name: str
    action: str
    resolved: bool
    links: tuple[LinkView, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeView:
    """A memory of a graph; one that is not there yet has no type, and `resolved` False."""

    scope: str
    name: str
    depth: int
    type: str
    description: str
    resolved: bool
    superseded: bool
    expired: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeView:
    """A typed link from `source` to `target`; `origin` is authored or body."""

    source: Ref
    type: str
    target: Ref
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphReply:
    """What lies around a memory, nearest first, the root at depth 0.

    `left_out` counts memories within the depth that the limit left out, `beyond` those one step
    deeper; where `at_least`, even counting was bounded and there are more.
    """

    nodes: tuple[NodeView, ...]
    edges: tuple[EdgeView, ...]
    left_out: int
    beyond: int
    at_least: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PathReply:
    """The links from one memory to the other, in order; [] from a memory to itself.

    Where there is no path, `path` is left out and `reason` is unreachable or depth-exceeded.
    """

    path: tuple[EdgeView, ...] | None = None
    nodes: tuple[NodeView, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeView:
    """A scope and how much it holds."""

    scope: str
    memories: int
    forgotten: int
    created_at: str
    alias_of: str | None = None
    last_written_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListScopesReply:
    """All scopes, sorted."""

    scopes: tuple[ScopeView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A memory and the name it has in the scope it went to."""

    name: str
    to_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasScopeReply:
    """What joining two scopes moves; `applied` is False for a dry run."""

    old: str
    new: str
    applied: bool
    moved: tuple[Moved, ...]
    renamed: tuple[Moved, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReindexReply:
    """How many of the memories have their words and vectors made again."""

    running: bool
    memories: int
    words: int
    vectors: int
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsReply:
    """Totals; `never_read` only when asked for."""

    memories: int
    versions: int
    forgotten: int
    superseded: int
    expired: int
    links: int
    size_bytes: int
    by_type: dict[str, int]
    by_scope: dict[str, int]
    server_version: str
    meaning: str
    vectors_waiting: int = 0
    never_read: tuple[Line, ...] | None = None
