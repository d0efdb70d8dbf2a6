"""Examines the server: is it there, is it ours, does it let us in, do versions and clocks agree."""

from __future__ import annotations

from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any

from commonplace import __version__
from commonplace.clients import config, light_json
from commonplace.clients.api import Api
from commonplace.clients.config import ClientConfig
from commonplace.clients.doctor.base import Finding, broken, ok, warning
from commonplace.clients.transport import Answer
from commonplace.errors import CommonplaceError, Forbidden, Unauthorized, Unreachable

TOPIC = "server"
_TIMEOUT_S = 5.0
_MCP_TIMEOUT_S = 15.0
_SKEW_S = 60.0
_PROXIES = ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
_CHOSEN_OFF = "COMMONPLACE_MODEL is off"
_SET_URL = "commonplace config set url URL"
_TOOLS = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}'
_BOTH = "application/json, text/event-stream"


def examine(settings: ClientConfig, now_s: float) -> Iterator[Finding]:
    """Examine the server the settings name.

    Units: now_s is Unix time.
    """
    api = Api(settings)
    limit_s = min(settings.timeout_s, _TIMEOUT_S)
    try:
        answer = api.send("GET", "/healthz", timeout_s=limit_s)
    except Unreachable as error:
        why = str(error.details.get("why", ""))
        via = " through the configured proxy" if settings.proxy else ""
        yield broken(TOPIC, f"{settings.url}{via}: {why}", _mend_reach(why, settings))
        yield from _proxies(settings)
        return
    except CommonplaceError as error:
        yield broken(TOPIC, error.message, "commonplace config")
        return
    health = light_json.loads_object(answer.body)
    if health is None or health.get("service") != "commonplace":
        yield _stranger(answer, settings)
        return
    yield ok(TOPIC, f"{settings.url} answers, version {health.get('version')}")
    yield _version(health)
    yield _clock(answer, now_s)
    yield from _insides(health)
    yield _entry(api, limit_s)
    yield _mcp(api)


def _mend_reach(why: str, settings: ClientConfig) -> str:
    if settings.proxy is not None:
        return "commonplace config unset proxy"
    if "no answer within" in why:
        return "tailscale status  # is that machine up, and are you in its network?"
    if "refused" in why.lower():
        return "commonplace serve --http  # on that machine"
    return _SET_URL


def _proxies(settings: ClientConfig) -> Iterator[Finding]:
    """Name proxies of the environment: other programs use them, commonplace never does."""
    found = [name for name in _PROXIES if config.variable(name)]
    if found and settings.proxy is None:
        text = f"{', '.join(found)} is set and not used; say so if the server is only behind it"
        yield warning("proxy", text, "commonplace config set proxy URL")


def _stranger(answer: Answer, settings: ClientConfig) -> Finding:
    what = f"status {answer.status}, {answer.content_type or 'no content type'}"
    if answer.service or answer.status == 421:
        text = f"the server refuses to be called {settings.url} ({what})"
        return broken(TOPIC, text, "commonplace help settings  # there: which names it goes by")
    if answer.status in {401, 407}:
        text = f"something before the server at {settings.url} asks for a login ({what})"
        return broken(TOPIC, text, _SET_URL)
    text = f"another service answers at {settings.url} ({what})"
    return broken(TOPIC, text, _SET_URL)


def _version(health: dict[str, Any]) -> Finding:
    theirs = str(health.get("version", "unknown"))
    if theirs == __version__:
        return ok("version", f"client and server are {__version__}")
    older = "the server" if _numbers(theirs) < _numbers(__version__) else "this client"
    text = f"client {__version__}, server {theirs}: {older} is older"
    return warning("version", text, "pip install --upgrade commonplace-memory  # there")


def _numbers(version: str) -> list[int]:
    return [int(part) if part.isdigit() else 0 for part in version.split(".")]


def _clock(answer: Answer, now_s: float) -> Finding:
    try:
        theirs_s = parsedate_to_datetime(answer.date).timestamp()
    except ValueError:
        return ok("clock", "the server does not tell its time")
    skew_s = theirs_s - now_s
    if abs(skew_s) <= _SKEW_S:
        return ok("clock", "this machine and the server agree")
    which = "ahead of" if skew_s > 0 else "behind"
    text = f"the server is {abs(skew_s):.0f} s {which} this machine: ages and expiry dates are off"
    return warning("clock", text, "timedatectl set-ntp true  # on the machine that is wrong")


def _insides(health: dict[str, Any]) -> Iterator[Finding]:
    store = health.get("store")
    if health.get("status") == "ok":
        yield ok("store", "can be read and written")
    else:
        said = store.get("message") if light_json.is_object(store) else None
        text = str(said or "the server says that its store does not work")
        yield broken("store", text, "commonplace serve --http  # again, and read its log")
    meaning = str(health.get("meaning", "unknown"))
    if meaning.startswith("off") and _CHOSEN_OFF not in meaning:
        text = f"search by meaning is {meaning}; search by words goes on"
        yield warning("meaning", text, "commonplace serve --http  # again, and read its log")
    else:
        yield ok("meaning", f"search by meaning is {meaning}")


def _entry(api: Api, limit_s: float) -> Finding:
    """Ask for something that needs what every call needs: to be let in."""
    try:
        api.call("list_scopes", {}, timeout_s=limit_s)
    except Unauthorized as error:
        return broken("access", error.message, "commonplace config set token_file FILE")
    except Forbidden as error:
        return broken("access", error.message, "commonplace config set token_file FILE")
    except CommonplaceError as error:
        return broken("access", f"{error.code}: {error.message}", "commonplace stats")
    return ok("access", "the server answers our calls")


def _mcp(api: Api) -> Finding:
    """Ask the endpoint that agents use for its tools."""
    try:
        answer = api.send("POST", "/mcp", _TOOLS, accept=_BOTH, timeout_s=_MCP_TIMEOUT_S)
    except CommonplaceError as error:
        return broken("mcp", error.message, "commonplace serve --http  # again, and read its log")
    reply = light_json.loads_object(answer.body) or {}
    result = reply.get("result")
    tools = result.get("tools") if light_json.is_object(result) else None
    if answer.status == 200 and light_json.is_array(tools):
        return ok("mcp", f"/mcp offers {len(tools)} tools")
    text = f"/mcp does not list its tools (status {answer.status})"
    return broken("mcp", text, "commonplace serve --http  # again, and read its log")
