"""What stands where a credential would: placeholders, code that fetches it, plain words."""

from __future__ import annotations

import re
from functools import cache

_STANDS_FOR = (
    "example",
    "placeholder",
    "your",
    "xxxx",
    "changeme",
    "change-me",
    "change_me",
    "redacted",
    "replace",
    "dummy",
    "****",
    "....",
    "…",
    "<",
    "${",
    "{{",
)
_WHOLE = {
    "pass", "passwd", "password", "pwd", "pw", "secret", "token", "key", "user", "username",
    "hunter", "none", "null", "nil", "true", "false", "string", "required", "optional", "hidden",
    "changeit", "my-secret", "mysecret", "mypassword", "my-password", "secretpassword", "todo",
    "test", "testing", "admin", "root", "guest", "postgres", "foo", "bar", "foobar", "undefined",
    "empty", "env", "pass123", "password123", "secret123", "test123", "test1234", "pat",
    "credentials", "creds", "pass-word", "app_password", "db_password", "access_token",
}  # fmt: skip
_REFERENCE = re.compile(
    r"^(?:[$%@{\[(<*~/\\]|\./|op://|vault:|env[.:(]|file:|secret:|ref\+|https?:|\w+\.\w+\()"
)
_SAME = re.compile(r"^(.)\1+$")
_CODE = re.compile(
    r"[(){}\[\]]|^[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$"
    r"|environ|getenv|import\.meta|process\.env"
)
_ALGORITHM = re.compile(
    r"(?i)^(?:bcrypt|scrypt|argon2\w*|pbkdf2\w*|sha-?\d+\w*|md5|base-?64|utf-?8|oauth-?2\w*|aes-?\d*"
    r"|\d?password\d?|rfc-?\d+|1password|bitwarden|\d+[-+]?(?:chars?|characters|digits|bytes|days)?)$"
)


@cache
def _never() -> re.Pattern[str]:
    return re.compile(r"(?i)^(?:my|your|the|some|a)[-_ ]")


def is_placeholder(value: str) -> bool:
    """Tell whether a value only shows where one would stand."""
    low = value.lower()
    return (
        not value.strip()
        or low in _WHOLE
        or any(mark in low for mark in _STANDS_FOR)
        or _REFERENCE.match(value) is not None
        or _SAME.match(value) is not None
        or _never().match(value) is not None
    )


def is_code(value: str) -> bool:
    """Tell whether a value is an expression that fetches one, or names a variable."""
    return _CODE.search(value) is not None


def is_word(value: str) -> bool:
    """Tell whether a value is a plain word, a few of them, or the name of a way to hash."""
    if _ALGORITHM.match(value) or " " in value.strip():
        return True
    return not any(char.isdigit() for char in value) and not re.search(r"[!#$%^&*+=?@~]", value)
