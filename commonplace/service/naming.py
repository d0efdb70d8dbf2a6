"""Read names, scopes, types and links of a call, and find the scope a bare name means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from commonplace.domain import scope as scopes
from commonplace.domain.life import missing
from commonplace.domain.memory import AUTHORED_LINKS, LINK_TYPES, MENTIONS, TYPES, Link
from commonplace.domain.text import check_encodable, check_name
from commonplace.errors import Ambiguous, Invalid, NotFound
from commonplace.protocol.requests import LinkSpec
from commonplace.store.base import Store
from commonplace.store.edges import Direction

_REQUEST_ID_MAX = 200
_DIRECTIONS: tuple[Direction, ...] = ("out", "in", "both")
_NEAREST = 5
_VERSION_MAX = 2**31 - 1


def read_type(text: str) -> str:
    """Return the type if it is one of the four.

    Raises: Invalid, naming the four.
    """
    if text in TYPES:
        return text
    raise Invalid(f"no such type: {text[:60]!a}; a type is {_one_of(TYPES)}", field="type")


def read_types(texts: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the types of a filter; None and no type at all are all of them."""
    return tuple(read_type(text) for text in texts) if texts else None


def read_scopes(texts: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the scopes of a filter in their stored form; None and none at all are all."""
    return tuple(dict.fromkeys(scopes.parse(text) for text in texts)) if texts else None


def read_links(specs: Sequence[LinkSpec] | None) -> tuple[Link, ...] | None:
    """Return authored links as the store keeps them; None leaves them as they are."""
    return (
        None
        if specs is None
        else tuple(dict.fromkeys(read_link(spec.type, spec.name, spec.scope) for spec in specs))
    )


def read_request_id(text: str | None) -> str | None:
    """Return the request id, if it is a short string any engine can hold.

    Raises: Invalid.
    """
    if text is None:
        return None
    if len(text) > _REQUEST_ID_MAX:
        raise Invalid(
            f"request_id is {len(text)} characters, the limit is {_REQUEST_ID_MAX}",
            field="request_id",
        )
    return check_encodable("request_id", text)


def in_range(field: str, value: int, low: int, high: int) -> int:
    """Return the number if it lies in the range.

    Raises: Invalid, naming the range.
    """
    if low <= value <= high:
        return value
    shown = str(value)[:20]
    raise Invalid(f"{field} must be {low} to {high}, not {shown}", field=field, low=low, high=high)


def read_version(number: int | None) -> int | None:
    """Return the number of a version, if a store can hold such a number.

    Raises: Invalid.
    """
    return None if number is None else in_range("version", number, 1, _VERSION_MAX)


def locate(store: Store, name: str, scope: str | None, *, dead: bool = False) -> tuple[str, str]:
    """Return the scope and name a call means; a name without a scope must be in exactly one.

    `dead` also looks for what was forgotten, once nothing alive bears the name.
    Raises: Invalid, UnknownScopeForm, Ambiguous with the scopes, NotFound with the nearest names.
    """
    name = check_name(name)
    if scope is not None:
        return scopes.parse(scope), name
    found = store.scopes_of(name) or _buried(store, name, dead=dead)
    if len(found) != 1:
        raise Ambiguous(
            f"{name} exists in {len(found)} scopes; name one of: {', '.join(found)}",
            name=name,
            scopes=list(found),
        )
    return found[0], name


def locate_near(store: Store, name: str, scope: str | None, near: str) -> tuple[str, str]:
    """Return what a name means beside a memory of scope `near`: there, else global, else alone.

    Raises: as `locate`.
    """
    if scope is None:
        found = store.scopes_of(check_name(name))
        scope = next((place for place in (near, scopes.GLOBAL) if place in found), None)
    return locate(store, name, scope)


def read_link(type_: str, name: str, scope: str | None) -> Link:
    """Return an authored link; a scope that is not given stays open.

    Raises: Invalid, UnknownScopeForm.
    """
    if type_ not in AUTHORED_LINKS:
        hint = "; write [[name]] in the body for one" if type_ == MENTIONS else ""
        raise Invalid(
            f"no such link type: {type_[:60]!a}; a link is {_one_of(AUTHORED_LINKS)}{hint}",
            field="type",
        )
    target = None if scope is None else scopes.parse(scope)
    return Link(type=type_, name=check_name(name), scope=target)


def read_link_types(texts: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the link types of a filter; None and none at all are all of them.

    Raises: Invalid, naming those there are.
    """
    for text in texts or ():
        if text not in LINK_TYPES:
            raise Invalid(
                f"no such link type: {text[:60]!a}; a link is {_one_of(LINK_TYPES)}",
                field="types",
            )
    return tuple(dict.fromkeys(texts)) if texts else None


def read_direction(text: str) -> Direction:
    """Return the direction links are followed in.

    Raises: Invalid, naming the three.
    """
    for direction in _DIRECTIONS:
        if text == direction:
            return direction
    raise Invalid(f"direction must be {_one_of(_DIRECTIONS)}, not {text[:40]!a}", field="direction")


def _buried(store: Store, name: str, *, dead: bool) -> tuple[str, ...]:
    """Ask each scope for a name no live memory bears; a renamed one says so itself."""
    graves: list[str] = []
    nearest: list[str] = []
    for row in store.scopes():
        if row.alias_of is not None:
            continue
        try:
            store.get(row.scope, name)
            graves.append(row.scope)
        except NotFound as error:
            if "renamed_to" in error.details:
                raise
            nearest.extend(cast("list[str]", error.details.get("nearest", [])))
    if graves and dead:
        return tuple(graves)
    where = graves[0] if len(graves) == 1 else "any scope"
    close_names = tuple(dict.fromkeys(nearest))[:_NEAREST]
    raise missing(where, name, close_names, forgotten=bool(graves))


def _one_of(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
