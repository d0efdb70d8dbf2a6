"""A memory as a text file a person edits: a short header, then the body byte for byte."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.errors import Invalid

_FENCE = "---"
_FIELDS = ("description", "type", "pinned", "expires", "links")
_TRUE = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Link:
    """A link as a person writes it: `type:name`, or `type:name@scope`."""

    type: str
    name: str
    scope: str | None = None

    def __str__(self) -> str:
        """Return the form `read_link` reads."""
        return f"{self.type}:{self.name}" + (f"@{self.scope}" if self.scope else "")

    def spec(self) -> dict[str, str]:
        """Return the link as a request field."""
        return {
            "type": self.type,
            "name": self.name,
            **({"scope": self.scope} if self.scope else {}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What can be edited of a memory; `expires` "" means never."""

    description: str
    body: str
    type: str = "reference"
    pinned: bool = False
    expires: str = ""
    links: tuple[Link, ...] = ()

    def changes(self, new: Document) -> dict[str, object]:
        """Return the request fields in which `new` differs."""
        found: dict[str, object] = {}
        for field in ("description", "body", "type", "pinned"):
            if getattr(self, field) != getattr(new, field):
                found[field] = getattr(new, field)
        if self.expires != new.expires:
            found["expires"] = new.expires or "never"
        if self.links != new.links:
            found["links"] = [link.spec() for link in new.links]
        return found


def read_link(text: str) -> Link:
    """Return the link a person wrote.

    Raises: Invalid, showing the form.
    """
    kind, colon, rest = text.strip().partition(":")
    name, _, scope = rest.partition("@")
    if not colon or not kind.strip() or not name.strip():
        raise Invalid(
            f"no such link form: {text[:60]!a}; write type:name or type:name@scope,"
            " such as builds-on:build-cache-path",
            field="links",
        )
    return Link(kind.strip(), name.strip(), scope.strip() or None)


def compose(document: Document) -> str:
    """Return the file's text; a line break is added after a body that has none, for editors."""
    lines = [
        _FENCE,
        f"description: {document.description}",
        f"type: {document.type}",
        f"pinned: {'true' if document.pinned else 'false'}",
        f"expires: {document.expires}".rstrip(),
        f"links: {', '.join(map(str, document.links))}".rstrip(),
        _FENCE,
        "",
    ]
    end = "" if document.body.endswith("\n") else "\n"
    return "\n".join(lines) + document.body + end


def parse(text: str, before: Document) -> Document:
    """Return what the edited file says; the line break `compose` added is taken away again.

    Raises: Invalid, naming the header line that cannot be read.
    """
    opening, _, rest = text.partition("\n")
    if opening.rstrip() != _FENCE:
        raise Invalid("the first line must be ---; the header was lost")
    header: dict[str, str] = {}
    while True:
        line, found, rest = rest.partition("\n")
        if line.rstrip() == _FENCE:
            break
        if not found:
            raise Invalid("the header has no closing --- line; put it above the body")
        if line.strip():
            key, value = _header_line(line)
            header[key] = value
    if not before.body.endswith("\n"):
        rest = rest.removesuffix("\n")
    return Document(
        description=header.get("description", ""),
        body=rest,
        type=header.get("type", before.type),
        pinned=_pinned(header.get("pinned", "false")),
        expires="" if header.get("expires", "") == "never" else header.get("expires", ""),
        links=tuple(read_link(part) for part in header.get("links", "").split(",") if part.strip()),
    )


def _header_line(line: str) -> tuple[str, str]:
    key, colon, value = line.partition(":")
    if not colon or key.strip() not in _FIELDS:
        raise Invalid(
            f"header line {line[:60]!a} is not understood; a line is one of"
            f" {', '.join(_FIELDS)}, then a colon and the value"
        )
    return key.strip(), value.strip()


def _pinned(text: str) -> bool:
    if text.lower() not in _TRUE:
        raise Invalid(f"pinned must be true or false, not {text[:60]!a}", field="pinned")
    return _TRUE[text.lower()]
