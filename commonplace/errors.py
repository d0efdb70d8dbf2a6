"""The error tree: every way a call can fail, each with a stable code.

CommonplaceError
├── Refused                 the caller asked for something that cannot be done as asked
│   ├── Invalid             INVALID
│   │   └── UnknownScopeForm    UNKNOWN_SCOPE_FORM
│   ├── TooLarge            TOO_LARGE
│   ├── SecretFound         SECRET
│   ├── NotFound            NOT_FOUND
│   ├── Exists              EXISTS
│   ├── Ambiguous           AMBIGUOUS
│   ├── VersionConflict     VERSION_CONFLICT
│   ├── SelfLink            SELF_LINK
│   ├── Cycle               CYCLE
│   ├── Unauthorized        UNAUTHORIZED
│   ├── Forbidden           FORBIDDEN
│   └── UnknownOperation    UNKNOWN_OPERATION
├── Failed                  the call was fine, the machinery was not
│   ├── Busy                BUSY (retry_after_s)
│   ├── Unavailable         UNAVAILABLE
│   │   └── Unreachable         (a client's: no server answered)
│   └── Internal            INTERNAL
└── StoreError              the store cannot be opened
    ├── StoreNewer          STORE_NEWER
    ├── StoreHeld           STORE_HELD
    └── StoreDamaged        STORE_DAMAGED

A message names what the call was about and ends with the next step; `details` carries the same
facts as plain JSON values for programs.
"""

from __future__ import annotations


class CommonplaceError(Exception):
    """Any failure this package reports on purpose."""

    # A plain annotation: importing typing would cost the session-start hook more than its budget.
    code: str = "INTERNAL"

    def __init__(self, message: str, **details: object) -> None:
        """Keep the sentence for people and the facts for programs."""
        super().__init__(message)
        self.message = message
        self.details: dict[str, object] = details


class Refused(CommonplaceError):
    """The request cannot be done as asked; repeating it unchanged will fail again."""

    code = "INVALID"


class Invalid(Refused):
    """A value has the wrong form."""


class UnknownScopeForm(Invalid):
    """A scope is none of `global`, `host:<name>`, `project:<key>`."""

    code = "UNKNOWN_SCOPE_FORM"


class TooLarge(Refused):
    """A value is over its limit; nothing was cut and nothing stored."""

    code = "TOO_LARGE"


class SecretFound(Refused):
    """A text holds what looks like a credential; the value is never repeated."""

    code = "SECRET"


class NotFound(Refused):
    """Nothing bears that name; `details["nearest"]` lists the closest ones."""

    code = "NOT_FOUND"


class Exists(Refused):
    """A live memory already bears that name in that scope."""

    code = "EXISTS"


class Ambiguous(Refused):
    """A name without a scope exists in several; `details["scopes"]` lists them."""

    code = "AMBIGUOUS"


class VersionConflict(Refused):
    """The memory moved on; `details["current"]` holds the version and body it has now."""

    code = "VERSION_CONFLICT"


class SelfLink(Refused):
    """A link from a memory to itself."""

    code = "SELF_LINK"


class Cycle(Refused):
    """A supersede or an alias that would come back to where it began."""

    code = "CYCLE"


class Unauthorized(Refused):
    """No valid token was given where one is needed."""

    code = "UNAUTHORIZED"


class Forbidden(Refused):
    """The caller is known and may not do this."""

    code = "FORBIDDEN"


class UnknownOperation(Refused):
    """No operation bears that name."""

    code = "UNKNOWN_OPERATION"


class Failed(CommonplaceError):
    """The machinery failed; the same request may work later."""


class Busy(Failed):
    """Too much is waiting; try again after `retry_after_s` seconds."""

    code = "BUSY"

    def __init__(self, message: str, *, retry_after_s: float, **details: object) -> None:
        """Carry the wait both as an attribute and as a detail."""
        super().__init__(message, retry_after_s=retry_after_s, **details)
        self.retry_after_s = retry_after_s


class Unavailable(Failed):
    """The server, the store or a part of it cannot be reached or used."""

    code = "UNAVAILABLE"


class Unreachable(Unavailable):
    """No commonplace server answered; `sent` says that one may have heard the request."""

    def __init__(self, message: str, *, sent: bool, **details: object) -> None:
        """Carry whether it may have been heard."""
        super().__init__(message, **details)
        self.sent = sent


class Internal(Failed):
    """A fault of ours; the log holds the traceback, the caller gets none of it."""

    code = "INTERNAL"


class StoreError(CommonplaceError):
    """The store cannot be opened."""

    code = "UNAVAILABLE"


class StoreNewer(StoreError):
    """The store was written by a newer commonplace; not a byte of it was changed."""

    code = "STORE_NEWER"


class StoreHeld(StoreError):
    """Another server process holds the store."""

    code = "STORE_HELD"


class StoreDamaged(StoreError):
    """The file is no store, or its base tables cannot be read."""

    code = "STORE_DAMAGED"


def by_code(code: str) -> type[CommonplaceError]:
    """Return the class a code stands for; an unknown code (a newer server's) gives `Refused`."""
    return _BY_CODE.get(code, Refused)


def codes() -> tuple[str, ...]:
    """Return every error code, sorted."""
    return tuple(sorted(_BY_CODE))


def _walk(root: type[CommonplaceError]) -> dict[str, type[CommonplaceError]]:
    found: dict[str, type[CommonplaceError]] = {}
    for child in root.__subclasses__():
        found.update({code: cls for code, cls in _walk(child).items() if code not in found})
        if "code" in vars(child):
            found[child.code] = child
    return found


_BY_CODE: dict[str, type[CommonplaceError]] = {
    **_walk(CommonplaceError),
    "INVALID": Invalid,
    "UNAVAILABLE": Unavailable,
}
