"""Join a renamed scope to its new name."""

from __future__ import annotations

from commonplace.domain import scope as scopes
from commonplace.protocol.replies import AliasScopeReply, Moved
from commonplace.protocol.requests import AliasScopeRequest
from commonplace.service.context import Caller, Context


def alias_scope(context: Context, caller: Caller, request: AliasScopeRequest) -> AliasScopeReply:
    """Join a scope to its new name, for a repository or host that was renamed; all memories move.

    Run it as the dry run it is by default, show the user what would move, then with dry_run false.
    Not for one memory: rename. Example: old "project:github.com/acme/app", new
    "project:github.com/acme/shop".
    """
    plan = context.store.alias(
        scopes.parse(request.old),
        scopes.parse(request.new),
        author=caller.author(request.agent),
        dry_run=request.dry_run,
    )
    return AliasScopeReply(
        old=plan.old,
        new=plan.new,
        applied=plan.applied,
        moved=tuple(Moved(name=name, to_name=after) for name, after in plan.moved),
        renamed=tuple(Moved(name=name, to_name=after) for name, after in plan.renamed),
    )
