"""Rules for names, descriptions and bodies, and how untrusted text becomes one visible line."""

from __future__ import annotations

import re
import unicodedata

from commonplace.errors import Invalid, TooLarge

NAME_MAX = 100
DESCRIPTION_MAX = 1000
BODY_MAX_BYTES = 16 * 1024

_SLUG = re.compile(r"[^\W_](?:[\w.-]*\w)?")
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_JOINERS = "\u200c\u200d\ufe0f"
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)


def check_name(text: str) -> str:
    """Return the name in NFC: letters, digits, `-`, `_`, `.`; a letter or digit at both ends.

    Raises: Invalid, which says what is wrong and shows the name escaped.
    """
    name = unicodedata.normalize("NFC", text)
    shown = ascii(text[:60])[1:-1]
    if not name:
        raise Invalid("name is empty; give a short slug such as build-cache-path", field="name")
    if len(name) > NAME_MAX:
        raise Invalid(
            f"name is {len(name)} characters long, the limit is {NAME_MAX}: '{shown}…'",
            field="name",
        )
    if not _SLUG.fullmatch(name) or ".." in name or _RESERVED.fullmatch(name):
        raise Invalid(
            f"name '{shown}' is not a slug; use letters, digits, '-' and '_',"
            " such as build-cache-path",
            field="name",
        )
    return name


def check_description(text: str) -> str:
    """Return the description as given, if it is one line of visible text.

    Raises: Invalid (empty, line break, control or NUL), TooLarge.
    """
    check_encodable("description", text)
    if not text.strip():
        raise Invalid("description is empty; say the fact in one line", field="description")
    if len(text) > DESCRIPTION_MAX:
        raise TooLarge(
            f"description is {len(text)} characters, the limit is {DESCRIPTION_MAX};"
            " put the rest into the body",
            field="description",
            limit=DESCRIPTION_MAX,
        )
    if any(unicodedata.category(char) in {"Cc", "Zl", "Zp"} for char in text):
        raise Invalid(
            "description holds a line break or control character; it must be one line,"
            " the body may have many",
            field="description",
        )
    return text


def check_body(text: str, limit_bytes: int = BODY_MAX_BYTES) -> str:
    """Return the body untouched, or refuse it whole.

    Raises: TooLarge naming the limit, Invalid for NUL and lone surrogates.
    """
    check_encodable("body", text)
    size = len(text.encode("utf-8"))
    if size > limit_bytes:
        raise TooLarge(
            f"body is {size} bytes, the limit is {limit_bytes}; nothing was stored."
            " Split it into several memories",
            field="body",
            limit=limit_bytes,
            size=size,
        )
    return text


def check_encodable(field: str, text: str) -> str:
    """Return the text if UTF-8 and every engine can hold it.

    Raises: Invalid for a NUL or a lone surrogate.
    """
    if "\x00" in text:
        raise Invalid(f"{field} holds a NUL character; remove it and send again", field=field)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Invalid(
            f"{field} holds a lone surrogate at character {error.start}; it is not valid Unicode",
            field=field,
        ) from None
    return text


def one_line(text: str, limit: int | None = None) -> str:
    """Return text as one visible line: no escapes, no control, bidi, zero-width or tag characters.

    Line breaks become one blank. A result longer than `limit` characters is clipped with `…`.
    """
    line = " ".join(text.split())
    # Printable text, which is nearly all there is, needs no look at each character.
    if not line.isprintable():
        seen = "".join(_visible(char) for char in _ANSI.sub("", text))
        line = " ".join(seen.split())
    if limit is not None and len(line) > limit:
        return line[: max(limit - 1, 0)].rstrip() + "…"
    return line


def visible(text: str) -> str:
    """Return text with its lines kept and every escape or invisible character but tab removed."""
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(char if char in "\n\t" else _visible(char) for char in _ANSI.sub("", text))


def _visible(char: str) -> str:
    if char in "\n\r\t\v\f\x85\u2028\u2029":
        return " "
    if char in _JOINERS or unicodedata.category(char) not in _INVISIBLE:
        return char
    return ""
