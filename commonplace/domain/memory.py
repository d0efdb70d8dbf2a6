"""The values a memory is made of, and one change to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

TYPES = ("user", "feedback", "project", "reference")
AUTHORED_LINKS = ("related-to", "builds-on", "contradicts", "child-of", "supersedes")
MENTIONS = "mentions"
LINK_TYPES = (*AUTHORED_LINKS, MENTIONS)

ChangeKind = Literal["remember", "update", "forget", "restore", "rename"]


@dataclass(frozen=True, slots=True)
class Link:
    """An edge as written: a target may not exist yet.

    `scope` None means the scope of the memory the link starts from. `origin` is `authored` or
    `body` (a `[[name]]` in the text).
    """

    type: str
    name: str
    scope: str | None = None
    origin: str = "authored"


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One immutable row of a memory's life; times are UTC `YYYY-MM-DDTHH:MM:SS.ffffffZ`.

    `superseded_by` is the id of the next version's row (None on the newest), not a supersedes link.
    """

    id: str
    memory_id: str
    version: int
    scope: str
    name: str
    type: str
    description: str
    body: str
    pinned: bool
    author: str
    created_at: str
    superseded_by: str | None = None
    deleted_at: str | None = None
    deleted_by: str | None = None
    expires_at: str | None = None
    content_sha: str = ""
    meta: dict[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One write as asked for; the store decides it inside its transaction with `life.decide`.

    Fields that are None stay as they are (update, restore, rename) or take their default
    (remember). `expires_at` "" takes an expiry away. `links` None keeps the authored links, a tuple
    replaces them. `id` is the new row's UUIDv7, `memory_id` is used only where a memory begins.
    """

    kind: ChangeKind
    id: str
    memory_id: str
    scope: str
    name: str
    author: str
    type: str | None = None
    description: str | None = None
    body: str | None = None
    pinned: bool | None = None
    expires_at: str | None = None
    links: tuple[Link, ...] | None = None
    meta: dict[str, object] | None = None
    expected_version: int | None = None
    version: int | None = None
    to_scope: str | None = None
    to_name: str | None = None
    request_id: str | None = None
