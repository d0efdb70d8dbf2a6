"""Runs a session-start hook as its agent would, and holds the answer against what it takes."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from commonplace.clients import config, light_json
from commonplace.clients.doctor.base import Finding, broken, ok, warning

# Claude Code: 10,000 UTF-16 units; Codex: 2,500 tokens of 4 bytes.
_MOST = 10_000
_BOUND_S = 1.5
_PATIENCE_S = 15.0


@dataclass(frozen=True)
class Ran:
    """What a hook left behind."""

    code: int
    out: bytes
    err: str
    took_s: float


def examine(topic: str, line: str, client: str, mend: str) -> Iterator[Finding]:
    """Run a hook's line with the input its agent gives, and examine what it prints."""
    try:
        ran = _run(line, client)
    except subprocess.TimeoutExpired:
        yield broken(topic, f"the hook did not end within {_PATIENCE_S:g} s: {line}", mend)
        return
    if ran.code != 0:
        said = f": {ran.err}" if ran.err else ""
        yield broken(topic, f"the hook ends with code {ran.code}{said}", mend)
        return
    if ran.err:
        yield warning(topic, f"the hook says: {ran.err}", "commonplace doctor  # see server")
    text = _text(ran.out, client)
    if text is None:
        yield broken(topic, f"the hook prints what {client} does not take", mend)
    elif not text:
        if not ran.err:
            yield warning(topic, "the hook runs and has no index to show", "commonplace list")
    elif max(len(text.encode("utf-8")), len(text.encode("utf-16-le")) // 2) > _MOST:
        yield broken(topic, f"the index is over {_MOST} bytes and would be cut", mend)
    elif ran.took_s > _BOUND_S:
        text = f"the hook took {ran.took_s:.1f} s, more than {_BOUND_S:g} s"
        yield warning(topic, text, "commonplace doctor  # see server")
    else:
        yield ok(topic, f"the hook gives {len(text)} characters in {ran.took_s:.2f} s")


def _run(line: str, client: str) -> Ran:
    started = time.monotonic()
    done = subprocess.run(  # noqa: S602 - agents hand this very line to a shell
        line,
        shell=True,
        env=config.bare_environment(),
        input=light_json.dumps(payload(client)).encode("utf-8"),
        check=False,
        capture_output=True,
        timeout=_PATIENCE_S,
    )
    err = " ".join(done.stderr.decode("utf-8", "replace").split())
    return Ran(done.returncode, done.stdout, err, time.monotonic() - started)


def payload(client: str) -> dict[str, Any]:
    """Return what an agent gives its hook at the start of a new session here."""
    session, cwd = f"doctor-{os.urandom(8).hex()}", _cwd()
    if client == "copilot":
        return {"sessionId": session, "timestamp": 0, "cwd": cwd, "source": "new"}
    if client == "cursor":
        return {"conversation_id": session, "hook_event_name": "sessionStart", "cwd": cwd}
    return {
        "session_id": session,
        "transcript_path": None,
        "cwd": cwd,
        "hook_event_name": "SessionStart",
        "source": "startup",
    }


def _text(out: bytes, client: str) -> str | None:
    """Return the index in an envelope, "" for no output, None for what the agent would not take."""
    if not out.strip():
        return ""
    value = light_json.loads_object(out)
    if value is None:
        return None
    if client in {"copilot", "cursor"}:
        key = "additionalContext" if client == "copilot" else "additional_context"
        return _only(value, {key}, key)
    inner = value.get("hookSpecificOutput")
    if set(value) != {"hookSpecificOutput"} or not light_json.is_object(inner):
        return None
    if inner.get("hookEventName") != "SessionStart":
        return None
    return _only(inner, {"hookEventName", "additionalContext"}, "additionalContext")


def _only(value: dict[str, Any], keys: set[str], key: str) -> str | None:
    text = value.get(key)
    return text if set(value) == keys and isinstance(text, str) else None


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:
        return os.sep
