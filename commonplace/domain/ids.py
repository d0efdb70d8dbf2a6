"""UUIDv7 made from parts, so that the caller owns clock and randomness."""

from __future__ import annotations

import uuid


def uuid7(unix_ms: int, entropy: bytes) -> str:
    """Return a UUIDv7 in its canonical text form; ids sort by time.

    Shapes: entropy is at least 10 bytes. Source: RFC 9562, section 5.7.
    """
    value = int.from_bytes(unix_ms.to_bytes(6, "big") + entropy[:10], "big")
    value = (value & ~(0xF << 76)) | (0x7 << 76)
    value = (value & ~(0x3 << 62)) | (0x2 << 62)
    return str(uuid.UUID(int=value))
