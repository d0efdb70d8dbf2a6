"""What each operation asks for; the doc of a field is what an agent reads beside the argument."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.domain.memory import AUTHORED_LINKS, TYPES
from commonplace.protocol.codec import arg

_SCOPE = "global, host:<name> or project:<host/owner/repo>"
_FIND_SCOPE = "Needed only if the name is in several scopes"
_TO_SCOPE = "Default: scope of name, then global"
_REQUEST_ID = "Makes a repeat safe: same id, same answer"
_AGENT = "Who writes, e.g. claude-code"
_EXPECTED = "Version you read; refuse if there is a newer one"
_EXPIRES = "Date it leaves index and recall, e.g. 2027-01-31"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSpec:
    """A typed edge to another memory, which may not exist yet."""

    type: str = arg("Kind of link", enum=list(AUTHORED_LINKS))
    name: str = arg("Target name")
    scope: str | None = arg("Its scope, if another", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberRequest:
    """A new memory."""

    scope: str = arg(_SCOPE)
    name: str = arg("Short slug, e.g. build-cache-path")
    description: str = arg("The fact in one line, as sessions first see it", free=True)
    type: str = arg("Kind of fact", "reference", enum=list(TYPES))
    body: str = arg("Markdown: why, how, evidence; [[name]] links", "", free=True)
    links: tuple[LinkSpec, ...] | None = arg("Typed links to other memories", None)
    pinned: bool | None = arg("Show first in every index", None)
    expires: str | None = arg(_EXPIRES, None)
    agent: str | None = arg(_AGENT, None)
    request_id: str | None = arg(_REQUEST_ID, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateRequest:
    """The fields of a memory that change."""

    name: str = arg("Name of the memory")
    scope: str | None = arg(_FIND_SCOPE, None)
    description: str | None = arg("New line", None, free=True)
    body: str | None = arg("New body, whole", None, free=True)
    type: str | None = arg("New kind", None, enum=list(TYPES))
    links: tuple[LinkSpec, ...] | None = arg("Replaces all links", None)
    pinned: bool | None = arg("Show first in every index", None)
    expires: str | None = arg(f"{_EXPIRES}; 'never' takes it away", None)
    expected_version: int | None = arg(_EXPECTED, None)
    agent: str | None = arg(_AGENT, None)
    request_id: str | None = arg(_REQUEST_ID, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetRequest:
    """A memory to hide."""

    name: str = arg("Name of the memory")
    scope: str | None = arg(_FIND_SCOPE, None)
    expected_version: int | None = arg(_EXPECTED, None)
    agent: str | None = arg(_AGENT, None)
    request_id: str | None = arg(_REQUEST_ID, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreRequest:
    """A forgotten memory, or an older version to go back to."""

    name: str = arg("Name of the memory")
    scope: str | None = arg(_FIND_SCOPE, None)
    version: int | None = arg("Version to go back to; default the last", None)
    expected_version: int | None = arg(_EXPECTED, None)
    agent: str | None = arg(_AGENT, None)
    request_id: str | None = arg(_REQUEST_ID, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameRequest:
    """A memory and its new name, scope or both."""

    name: str = arg("Name it has")
    to_name: str | None = arg("New name", None)
    scope: str | None = arg(_FIND_SCOPE, None)
    to_scope: str | None = arg("New scope", None)
    expected_version: int | None = arg(_EXPECTED, None)
    agent: str | None = arg(_AGENT, None)
    request_id: str | None = arg(_REQUEST_ID, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRequest:
    """One typed link to make."""

    name: str = arg("From")
    type: str = arg("Kind", enum=list(AUTHORED_LINKS))
    to_name: str = arg("To; may not exist yet")
    scope: str | None = arg(_FIND_SCOPE, None)
    to_scope: str | None = arg(_TO_SCOPE, None)
    agent: str | None = arg(_AGENT, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlinkRequest:
    """One typed link to take away."""

    name: str = arg("From")
    type: str = arg("Kind")
    to_name: str = arg("To")
    scope: str | None = arg("As in link", None)
    to_scope: str | None = arg("As in link", None)
    agent: str | None = arg(_AGENT, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphRequest:
    """A memory whose surroundings are asked for."""

    name: str = arg("Memory to start from")
    scope: str | None = arg(_FIND_SCOPE, None)
    depth: int = arg("Steps, 1 to 10", 2)
    direction: str = arg("out, in or both", "both")
    types: tuple[str, ...] | None = arg("Only these links", None)
    limit: int = arg("Most memories, 1 to 1000", 50)


@dataclass(frozen=True, slots=True, kw_only=True)
class PathRequest:
    """Two memories; how links lead from one to the other."""

    name: str = arg("From")
    to_name: str = arg("To")
    scope: str | None = arg("Scope of name", None)
    to_scope: str | None = arg("Scope of to_name", None)
    max_depth: int = arg("Most links, 1 to 20", 6)
    types: tuple[str, ...] | None = arg("Only these links", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class GetRequest:
    """A memory to read whole."""

    name: str = arg("Name of the memory")
    scope: str | None = arg(_FIND_SCOPE, None)
    version: int | None = arg("An older version", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """A question to search for."""

    query: str = arg("Words or a question, in any language", free=True)
    scopes: tuple[str, ...] | None = arg("Only these scopes", None)
    types: tuple[str, ...] | None = arg("Only these kinds of fact", None)
    limit: int = arg("How many, 1 to 50", 10)
    threshold: float | None = arg("Least cosine, -1 to 1", None)
    expand: str = arg("Also follow links", "none", enum=["none", "one-hop", "parents"])
    expand_types: tuple[str, ...] | None = arg("Link types to follow", None)
    include_superseded: bool = arg("Also superseded memories", False)  # noqa: FBT003
    include_expired: bool = arg("Also expired memories", False)  # noqa: FBT003


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRequest:
    """Whose session is starting."""

    project: str | None = arg("Project key, host/owner/repo", None)
    host: str | None = arg("Host name", None)
    budget: int = arg("Most bytes of the text, 2000 to 50000", 9500)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRequest:
    """Which memories to list."""

    scopes: tuple[str, ...] | None = arg("Only these scopes", None)
    types: tuple[str, ...] | None = arg("Only these kinds of fact", None)
    limit: int = arg("How many, 1 to 1000", 200)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRequest:
    """A name whose past is asked for."""

    name: str = arg("Name of the memory")
    scope: str | None = arg(_FIND_SCOPE, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListScopesRequest:
    """Nothing to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasScopeRequest:
    """A scope that is now known by another name."""

    old: str = arg("Scope as it was")
    new: str = arg("Scope as it is now")
    dry_run: bool = arg("Only say what would move", True)  # noqa: FBT003
    agent: str | None = arg(_AGENT, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReindexRequest:
    """Whether to begin, and how long to wait for the end."""

    start: bool = arg("False only tells how far it is", True)  # noqa: FBT003
    wait_s: int = arg("Seconds to wait for the end, 0 to 30", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsRequest:
    """What to count."""

    never_read: bool = arg("List memories nobody has read", False)  # noqa: FBT003
    limit: int = arg("How many of those", 50)
