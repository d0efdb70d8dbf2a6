"""The storage seam: coarse calls, each one transaction, from which no connection or rowid escapes.

Every engine passes the same contract suite (tests/store/contract.py). Rules that hold for all:
a scope that is an alias is answered as the scope it stands for; *live* means newest version, not
deleted, not expired at `now`, not the target of a `supersedes` link from a memory that is neither
deleted nor expired (superseded itself or not: of a chain only the newest shows); calls block and
are safe from any thread; refusals are `commonplace.errors` classes, never an engine's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from commonplace.domain.memory import Change, Version
from commonplace.store.edges import Edges, Selection
from commonplace.store.embeddings import Embeddings

Clock = Callable[[], str]


@dataclass(frozen=True, slots=True)
class Written:
    """What a write did; `replayed` when its request id had been settled before."""

    version: Version
    replayed: bool = False
    kind: str = "remember"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRow:
    """An edge as stored, seen from one end; `memory_id` is None while the target does not exist.

    Scope, name and description are the target's for an outgoing link, the source's for an incoming.
    """

    type: str
    scope: str
    name: str
    origin: str
    memory_id: str | None
    description: str = ""
    live: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A memory read whole: one version, its edges, and what stands over it.

    `superseded_by` holds `(scope, name)` of the memories that keep this one from being live.
    """

    version: Version
    versions: int
    first_created_at: str
    links_out: tuple[LinkRow, ...] = ()
    links_in: tuple[LinkRow, ...] = ()
    superseded_by: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRow:
    """What one index line needs; `touched_at` is the later of last written and last read."""

    scope: str
    name: str
    type: str
    description: str
    pinned: bool
    updated_at: str
    touched_at: str


@dataclass(frozen=True, slots=True)
class WordHit:
    """A live memory found by words; `bm25` is positive, higher is better."""

    id: str
    bm25: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Frequencies:
    """How many memories there are to find, and how many of them hold each phrase."""

    total: int
    counts: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeRow:
    """A scope, what it holds, and what it is an alias of; `live` counts all not forgotten."""

    scope: str
    created_at: str
    alias_of: str | None = None
    live: int = 0
    forgotten: int = 0
    last_written_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasPlan:
    """What joining `old` into `new` does: `moved` is every (name before, name after).

    `renamed` is the part of `moved` whose name was taken in `new`.
    """

    old: str
    new: str
    moved: tuple[tuple[str, str], ...]
    renamed: tuple[tuple[str, str], ...]
    applied: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Totals over the store; `size_bytes` is the file's."""

    memories: int
    versions: int
    forgotten: int
    superseded: int
    expired: int
    links: int
    size_bytes: int
    by_type: dict[str, int] = field(default_factory=dict[str, int])
    by_scope: dict[str, int] = field(default_factory=dict[str, int])


class Store(Edges, Embeddings, Protocol):
    """Versions, links and the words over them."""

    def write(self, change: Change) -> Written:
        """Decide and append one change, durable when this returns.

        Raises: Exists, NotFound, VersionConflict, Cycle, SelfLink, Invalid (a request id that was
        used for another change), Busy, Unavailable.
        Effects: one transaction (shared with other waiting writers); binds deferred links.
        """
        ...

    def get(self, scope: str, name: str, version: int | None = None) -> Memory:
        """Return the newest version (dead or alive, see its `deleted_at`), or the numbered one.

        Raises: NotFound, with `nearest`, and `renamed_to` where the name moved on.
        """
        ...

    def scopes_of(self, name: str) -> tuple[str, ...]:
        """Return the scopes in which a not-forgotten memory bears this name, sorted."""
        ...

    def history(self, scope: str, name: str) -> tuple[Version, ...]:
        """Return every version of every memory that ever bore this name here, oldest first.

        Raises: NotFound.
        """
        ...

    def index(self, selection: Selection) -> tuple[IndexRow, ...]:
        """Return one row a live memory, in no particular order."""
        ...

    def words(self, match: str, selection: Selection, limit: int) -> tuple[WordHit, ...]:
        """Return the best `limit` live memories for an FTS5 expression over prepared text.

        Shapes: best first, ids unique. The filter applies before the ranking limit.
        """
        ...

    def frequencies(self, phrases: Sequence[str]) -> Frequencies:
        """Return how many not-forgotten memories hold each phrase: prepared words side by side."""
        ...

    def recent(self, selection: Selection, limit: int) -> tuple[str, ...]:
        """Return version ids of the most recently written live memories, newest first."""
        ...

    def load(self, ids: Sequence[str]) -> tuple[Memory, ...]:
        """Return the memories of these version ids, in the order given; unknown ones left out."""
        ...

    def changes(self, since: str, limit: int) -> tuple[Version, ...]:
        """Return versions written or forgotten after a stamp, oldest change first.

        Shapes: the last row's later one of `created_at` and `deleted_at` is the next `since`;
        "" begins.
        """
        ...

    def note_reads(self, ids: Sequence[str]) -> None:
        """Count a read of each version's memory; never waits for the writer, never fails."""
        ...

    def never_read(self, limit: int) -> tuple[IndexRow, ...]:
        """Return live memories no get or recall has returned yet, oldest first."""
        ...

    def scopes(self) -> tuple[ScopeRow, ...]:
        """Return every scope ever written to or made an alias, sorted."""
        ...

    def alias(self, old: str, new: str, *, author: str, dry_run: bool) -> AliasPlan:
        """Move all memories of `old` into `new` (colliding names get `-2`, …) and alias it.

        Forgotten memories move too. An alias that is there already is no error and moves nothing.
        Raises: Cycle, Invalid (old is global, equals new, or is an alias of another scope).
        """
        ...

    def counts(self, now: str) -> Counts:
        """Return totals."""
        ...

    def health(self) -> dict[str, object]:
        """Return store id, schema version and whether the store can be read and written."""
        ...

    def close(self) -> None:
        """Drain waiting writes, checkpoint and release the file."""
        ...
