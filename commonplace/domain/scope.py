"""The three forms of a scope, and nothing else."""

from __future__ import annotations

import re
import unicodedata

from commonplace.errors import UnknownScopeForm

GLOBAL = "global"
MAX_LENGTH = 255
FORMS = "global, host:<name> or project:<host/owner/repo>"

_HOST = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?")
_SEGMENT_BAD = re.compile(r'[\x00-\x1f\x7f"*<>?|\\]')


def parse(text: str) -> str:
    """Return the scope in its one stored form (NFC, host part lower-cased).

    Raises: UnknownScopeForm, naming the value and the forms there are.
    """
    value = unicodedata.normalize("NFC", text)
    kind, _, key = value.partition(":")
    if value == GLOBAL:
        return value
    if len(value) <= MAX_LENGTH:
        if kind == "host" and _HOST.fullmatch(key.lower()):
            return f"host:{key.lower()}"
        if kind == "project" and _is_project_key(key):
            host, slash, rest = key.partition("/")
            return f"project:{host.lower()}{slash}{rest}"
    shown = ascii(text[:60])[1:-1]
    raise UnknownScopeForm(
        f"no such scope form: '{shown}'; a scope is {FORMS}", scope=shown, forms=FORMS
    )


def project(key: str) -> str:
    """Return the scope of a project key, given with or without its `project:`."""
    return parse(key if key.startswith("project:") else f"project:{key}")


def host(name: str) -> str:
    """Return the scope of a host name, given with or without its `host:`."""
    return parse(name if name.startswith("host:") else f"host:{name}")


def _is_project_key(key: str) -> bool:
    segments = key.split("/")
    return all(_is_segment(segment) for segment in segments)


def _is_segment(segment: str) -> bool:
    if not segment or segment in {".", ".."} or segment != segment.strip():
        return False
    if _SEGMENT_BAD.search(segment):
        return False
    return not any(unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for char in segment)
