"""Calls a server's operations as JSON over HTTP and turns its error codes back into errors."""

from __future__ import annotations

import time

from commonplace import errors
from commonplace.clients import light_json
from commonplace.clients.transport import Answer, Exchange, Target
from commonplace.errors import Unreachable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from commonplace.clients.config import ClientConfig


MAX_REPLY_BYTES = 64 * 1024 * 1024


class Api:
    """The server named in a config."""

    def __init__(
        self,
        config: ClientConfig,
        *,
        max_bytes: int = MAX_REPLY_BYTES,
        caller: tuple[str, str] | None = None,
    ) -> None:
        """Remember whom to call and as whom; nothing is opened yet.

        `caller` is another agent and host to speak for than the config's.
        """
        self._config = config
        self._agent, self._host = caller or (config.agent, config.host)
        self._target = Target(config.url)
        self._max_bytes = max_bytes

    def call(
        self, operation: str, arguments: dict[str, Any], *, timeout_s: float | None = None
    ) -> dict[str, Any]:
        """Run one operation on the server and return its reply.

        Units: timeout_s bounds the whole call, name look-up and slow answers included.
        Raises: the error class the server's code stands for; Unavailable when no commonplace server
        answers; Invalid when the arguments have no JSON form.
        """
        try:
            body = light_json.dumps(arguments).encode("utf-8")
        except (TypeError, ValueError):
            raise errors.Invalid(
                f"the arguments of {operation} cannot be written as JSON: they hold a value or a"
                " lone surrogate that JSON has no form for"
            ) from None
        answer = self.send("POST", f"/api/v1/{operation}", body, timeout_s=timeout_s)
        return self._reply(answer)

    def health(self, *, timeout_s: float | None = None) -> dict[str, Any]:
        """Return what `/healthz` says; a server that calls itself unwell still answers.

        Raises: Unavailable when no commonplace server answers.
        """
        answer = self.send("GET", "/healthz", timeout_s=timeout_s)
        value = light_json.loads_object(answer.body)
        if value is None or not answer.service or value.get("service") != "commonplace":
            raise self._wrong_service(answer)
        return value

    def send(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        *,
        accept: str = "application/json",
        timeout_s: float | None = None,
    ) -> Answer:
        """Return whatever answers, as it came.

        Raises: Unreachable when nothing does; Invalid when the token file cannot be read.
        """
        config = self._config
        headers = [
            ("Accept", accept),
            ("X-Commonplace-Agent", self._agent),
            ("X-Commonplace-Host", self._host),
        ]
        if body:
            headers.append(("Content-Type", "application/json"))
        token = config.bearer()
        if token is not None:
            headers.append(("Authorization", f"Bearer {token}"))
        limit_s = config.timeout_s if timeout_s is None else timeout_s
        exchange = Exchange(
            self._target,
            deadline=time.monotonic() + limit_s,
            max_bytes=self._max_bytes,
            proxy=config.proxy,
        )
        try:
            return exchange.send(method, path, headers, body)
        except TimeoutError:
            raise self._unreachable(f"no answer within {limit_s:g} s", exchange.sent) from None
        except OSError as error:
            why = error.strerror or "the connection failed"
            raise self._unreachable(why, exchange.sent) from None
        except errors.Unavailable as error:
            raise self._unreachable(error.message, exchange.sent) from None

    def _reply(self, answer: Answer) -> dict[str, Any]:
        value = light_json.loads_object(answer.body)
        if value is None or not answer.service:
            raise self._wrong_service(answer)
        failure = value.get("error")
        if answer.status == 200 and failure is None:
            return value
        if light_json.is_object(failure):
            raise _error(failure, answer)
        raise self._wrong_service(answer)

    def _wrong_service(self, answer: Answer) -> Unreachable:
        if 300 <= answer.status < 400:
            return self._unreachable(
                f"it redirects (status {answer.status}), which is not followed"
            )
        kind = answer.content_type or "no content type"
        return self._unreachable(
            f"what answers there is not commonplace (status {answer.status}, {kind})"
        )

    def _unreachable(self, why: str, sent: bool = True) -> Unreachable:
        via = " through the configured proxy" if self._config.proxy else ""
        return Unreachable(
            f"no commonplace server at {self._target.shown}{via}: {why}. Start it with"
            " `commonplace serve --http`, or set `url` with `commonplace config set url URL`",
            sent=sent,
            url=self._target.shown,
            why=why,
        )


def _error(failure: dict[str, Any], answer: Answer) -> errors.CommonplaceError:
    code = str(failure.get("code", ""))
    message = str(failure.get("message", "")) or f"the server refused (status {answer.status})"
    raw = failure.get("details")
    details: dict[str, Any] = dict(raw) if light_json.is_object(raw) else {}
    wait = details.pop("retry_after_s", answer.retry_after)
    details = {key: held for key, held in details.items() if key not in {"message", "self"}}
    cls = errors.by_code(code)
    if issubclass(cls, errors.Busy):
        return cls(message, retry_after_s=_seconds(wait), **details)
    error = cls(message, **details)
    if cls is errors.Refused and code:
        error.code = code
    return error


def _seconds(value: object) -> float:
    try:
        return max(float(value), 0.0) if isinstance(value, (str, int, float)) else 1.0
    except ValueError:
        return 1.0
