"""What one command runs with: its global options, the server, and the scopes of this session."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import typer

from commonplace.clients import config as client_config
from commonplace.clients import scope as resolver
from commonplace.clients.api import Api
from commonplace.clients.cli import views
from commonplace.clients.cli.render import Output
from commonplace.clients.delivery import QUEUEABLE, Delivery
from commonplace.domain import scope as scopes
from commonplace.domain.text import check_encodable
from commonplace.errors import (
    Ambiguous,
    CommonplaceError,
    Failed,
    Invalid,
    NotFound,
    Refused,
    UnknownOperation,
    Unreachable,
)

Reply = dict[str, Any]
_OPERATION = re.compile(r"[a-z][a-z_]*")
_WRITES = QUEUEABLE | {"restore", "rename"}
# The rest of what changes something: done now or not at all.
_ONLY_NOW = {"restore", "rename", "alias_scope", "link", "unlink"}


@dataclass(slots=True)
class Globals:
    """The options that stand before or after any command; filled while the line is parsed."""

    settings: dict[str, str] = field(default_factory=dict[str, str])
    as_json: bool = False
    no_queue: bool = False
    no_color: bool = False


class Session:
    """One command's configuration, connection and scopes, each made when first needed."""

    def __init__(self, given: Globals) -> None:
        """Take the options; nothing is read yet."""
        self._given = given

    @classmethod
    def of(cls, ctx: typer.Context) -> Session:
        """Return the session of a running command."""
        return cls(globals_of(ctx))

    @cached_property
    def out(self) -> Output:
        """The printer."""
        return output(self._given)

    @cached_property
    def config(self) -> client_config.ClientConfig:
        """The client's settings; their warnings are shown once."""
        loaded = client_config.load(**self._given.settings)
        for warning in loaded.warnings:
            self.out.note(f"warning: {warning}")
        return loaded

    @cached_property
    def resolution(self) -> resolver.Resolution:
        """Which project and host this folder means."""
        return resolver.resolve(config=self.config)

    @cached_property
    def scopes(self) -> tuple[str, ...]:
        """This session's scopes, narrowest first."""
        return self.resolution.scopes()

    @property
    def project(self) -> str | None:
        """This session's project scope."""
        return self.scopes[0] if self.resolution.project else None

    @property
    def host(self) -> str:
        """This machine's scope; no folder is looked at for it."""
        return scopes.host(self.config.host)

    def scope(self, text: str) -> str:
        """Return the scope a person wrote; `project` and `host` alone mean this session's.

        Raises: UnknownScopeForm, Invalid when there is no project here.
        """
        if text == "host":
            return self.host
        if text != "project":
            return scopes.parse(text)
        if self.project is None:
            raise Invalid(
                "no project here; give --scope project:<host/owner/repo>, or --project",
                field="scope",
            )
        return self.project

    @cached_property
    def delivery(self) -> Delivery:
        """The way of this session's writes, through the outbox if need be."""
        return Delivery(self.config)

    @cached_property
    def _away(self) -> Unreachable | None:
        """Deliver what waited, once a command; return the failure if no server answered."""
        try:
            report = self.delivery.deliver()
        except Failed as error:
            self.out.note(f"the outbox was not looked at: {error.message}")
            return None
        for line in views.delivered(report):
            self.out.note(line)
        return report.stopped if isinstance(report.stopped, Unreachable) else None

    def call(
        self,
        operation: str,
        timeout_s: float | None = None,
        guess: Callable[[str], str | None] | None = None,
        **arguments: Any,
    ) -> Reply:
        """Ask the server; arguments that are None are left out.

        Raises: whatever the server refuses with; Unavailable when it cannot be reached.
        """
        given = {
            name: _sendable(name, held) for name, held in arguments.items() if held is not None
        }
        if operation in _WRITES:
            given.setdefault("request_id", os.urandom(16).hex())
            given.setdefault("agent", self.config.agent)
        return self.ask(operation, given, timeout_s, guess)

    def ask(
        self,
        operation: str,
        arguments: Reply,
        timeout_s: float | None = None,
        guess: Callable[[str], str | None] | None = None,
    ) -> Reply:
        """Ask the server with the arguments exactly as they are.

        A write that can wait is queued when no server takes it. `guess`: see `Delivery.write`.
        Raises: UnknownOperation for what cannot be a name of one, and all that `call` raises.
        """
        if not _OPERATION.fullmatch(operation):
            raise UnknownOperation(
                f"no operation {operation[:60]!a}; commonplace help operations lists them"
            )
        # With a time limit of its own it is a look beside the work, as completion takes.
        away = self._away if timeout_s is None else None
        if operation in QUEUEABLE and not self._given.no_queue:
            return self._write(operation, arguments, away, guess)
        try:
            if away is not None:
                raise away
            reply = Api(self.config).call(operation, arguments, timeout_s=timeout_s)
        except Unreachable as error:
            raise _only_now(operation, error) from None
        if operation in _WRITES or (operation == "get" and "version" not in arguments):
            self.delivery.saw(operation, reply)
        return reply

    def _write(
        self,
        operation: str,
        arguments: Reply,
        away: Unreachable | None,
        guess: Callable[[str], str | None] | None,
    ) -> Reply:
        guess = guess or (None if arguments.get("scope") else self._known_scope)
        if away is not None:
            reply = self.delivery.keep(operation, arguments, away.message, guess=guess)
        else:
            reply = self.delivery.write(operation, arguments, guess=guess)
        if reply.get("queued"):
            self.out.note(views.queued_note(reply))
        return reply

    def _known_scope(self, name: str) -> str | None:
        """Return the narrowest scope of this session in which the name was seen, for a bare one."""
        return next((held for held in self.scopes if self.delivery.has_seen(held, name)), None)

    def call_named(
        self,
        operation: str,
        name: str,
        scope: str | None,
        *,
        fits: Callable[[Reply], bool] = lambda _: True,
        **arguments: Any,
    ) -> Reply:
        """Ask about a name: in the scope given, or in the narrowest of this session that holds it.

        A reply that does not fit (such as one of forgotten versions only) is used when no wider
        scope has a better one. Raises: NotFound telling where it was looked for and what is near.
        """
        if scope is not None:
            return self.call(operation, name=name, scope=self.scope(scope), **arguments)
        # Away from the server it cannot be tried out which scope holds the name.
        guess = self._known_scope if operation in QUEUEABLE else None
        second: tuple[str, Reply] | None = None
        misses: list[NotFound] = []
        for place in self.scopes:
            try:
                reply = self.call(operation, guess=guess, name=name, scope=place, **arguments)
            except NotFound as error:
                if "versions" in error.details:
                    raise  # the name is here, only that version of it is not
                misses.append(error)
                continue
            if reply.get("queued"):
                return reply
            if fits(reply):
                return self._said(place, reply)
            second = second or (place, reply)
        if second is not None:
            return self._said(*second)
        raise self._nowhere(name, misses)

    def _said(self, place: str, reply: Reply) -> Reply:
        if not self.out.as_json:
            self.out.note(f"found in {place}, the narrowest scope here that holds the name")
        return reply

    def _nowhere(self, name: str, misses: list[NotFound]) -> CommonplaceError:
        for miss in misses:
            if miss.details.get("renamed_to") or miss.details.get("forgotten"):
                return miss
        nearest = list(
            dict.fromkeys(near for miss in misses for near in _texts(miss.details.get("nearest")))
        )
        elsewhere = self._elsewhere(name)
        if elsewhere:
            hint = f"it is in {', '.join(elsewhere)}: name it with --scope"
        elif nearest:
            hint = f"nearest names: {', '.join(nearest)}"
        else:
            hint = "commonplace list shows what is there"
        return NotFound(
            f"no memory {name} in {', '.join(self.scopes)}; {hint}",
            name=name,
            scopes=list(self.scopes),
            nearest=nearest,
            elsewhere=elsewhere,
        )

    def _elsewhere(self, name: str) -> list[str]:
        try:
            return [str(self.call("get", name=name)["scope"])]
        except Ambiguous as error:
            return _texts(error.details.get("scopes"))
        except Refused:
            return []


def globals_of(ctx: typer.Context) -> Globals:
    """Return the global options of the running command line."""
    return ctx.ensure_object(Globals)


def output(given: Globals) -> Output:
    """Return the printer these options ask for."""
    return Output(as_json=given.as_json, color=not given.no_color and not client_config.no_color())


def _texts(value: object) -> list[str]:
    return [str(item) for item in cast("list[object]", value)] if isinstance(value, list) else []


def _only_now(operation: str, error: Unreachable) -> Unreachable:
    """Return the failure; of what changes something, saying that it was not kept for later."""
    if operation in _ONLY_NOW:
        heard = ", unless the server heard it before it went away" if error.sent else ""
        more = f". {operation} was not done{heard}, and it is not queued: it needs the server"
        return Unreachable(error.message + more, sent=error.sent, **error.details)
    if operation in QUEUEABLE:
        return Unreachable(f"{error.message}. Not queued", sent=error.sent, **error.details)
    return error


def _sendable(name: str, value: Any) -> Any:
    return check_encodable(name, value) if isinstance(value, str) else value
