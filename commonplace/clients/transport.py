"""One HTTP/1.1 exchange over a plain socket: a total deadline, a size bound, no proxy unless named.

It stands on `_socket`: importing `http.client` alone takes twice the time the hook may.
Nothing here reads the environment, follows a redirect or retries.
"""

# ruff: noqa: PLC0415 - ssl, idna and base64 are loaded only by the few calls that need them.
from __future__ import annotations

import _socket
import _thread
import time

from commonplace.errors import Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Every answer of a commonplace server bears its version in it.
SERVICE_HEADER = "X-Commonplace"
MAX_HEAD_BYTES = 64 * 1024
_CHUNK = 64 * 1024
_MAX_INTERIM = 8


class Target:
    """Where to connect and how to name it; `shown` is safe to print."""

    __slots__ = ("authority", "host", "path", "port", "secure", "shown")

    def __init__(self, url: str) -> None:
        """Take apart a URL that `config` has checked."""
        scheme, _, rest = url.partition("://")
        authority, slash, path = rest.partition("/")
        authority = authority.rpartition("@")[2]
        self.secure = scheme == "https"
        self.path = (slash + path).rstrip("/")
        self.authority = authority.lower()
        self.shown = f"{scheme}://{self.authority}{self.path}"
        if authority.startswith("["):
            host, _, tail = authority[1:].partition("]")
            port = tail.lstrip(":")
        else:
            host, _, port = authority.partition(":")
        self.host = host
        self.port = int(port) if port else (443 if self.secure else 80)


class Answer:
    """What came back: status, content type, `Retry-After`, who answered (`service`), the bytes.

    `date` is the server's clock as it wrote it.
    """

    __slots__ = ("body", "content_type", "date", "retry_after", "service", "status")

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        """Keep what callers look at."""
        self.status = status
        self.content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        self.date = headers.get("date", "")
        self.retry_after = headers.get("retry-after", "")
        self.service = headers.get(SERVICE_HEADER.lower(), "")
        self.body = body


class Exchange:
    """One request to one server within one deadline; `sent` once the server may have had it.

    Units: deadline is a `time.monotonic()` instant, max_bytes bounds the body.
    """

    def __init__(
        self, target: Target, *, deadline: float, max_bytes: int, proxy: str | None
    ) -> None:
        """Hold the bounds of the exchange."""
        self._target = target
        self._deadline = deadline
        self._max_bytes = max_bytes
        self._proxy = proxy
        self._buffer = b""
        self._sock: Any = None
        self.sent = False

    def send(self, method: str, path: str, headers: list[tuple[str, str]], body: bytes) -> Answer:
        """Send the request and read the whole answer.

        Raises: OSError (TimeoutError at the deadline), Unavailable for what is no HTTP or too much.
        """
        try:
            url = self._open(headers)
            lines = [f"{method} {url}{path} HTTP/1.1", f"Host: {self._target.authority}"]
            lines += [f"{name}: {value}" for name, value in headers]
            lines += [f"Content-Length: {len(body)}", "Connection: close", "", ""]
            status, found = self._say("\r\n".join(lines).encode("latin-1") + body)
            return Answer(status, found, self._body(status, found))
        finally:
            if self._sock is not None:
                self._sock.close()

    def _say(self, request: bytes) -> tuple[int, dict[str, str]]:
        self.sent = True
        try:
            self._write(request)
        except TimeoutError:
            raise
        except OSError as broken:
            # A server that refuses early stops listening; why, it has said already.
            try:
                return self._head()
            except (OSError, Unavailable):
                raise broken from None
        return self._head()

    def _open(self, headers: list[tuple[str, str]]) -> str:
        """Connect, through the configured proxy if there is one; return what precedes the path."""
        target = self._target
        if self._proxy is None:
            self._sock = connect(target.host, target.port, self._deadline)
            if target.secure:
                self._secure()
            return target.path
        proxy = Target(self._proxy)
        self._sock = connect(proxy.host, proxy.port, self._deadline)
        login = _proxy_login(self._proxy)
        if not target.secure:
            headers += login
            return target.shown
        self._tunnel(login)
        self._secure()
        return target.path

    def _tunnel(self, login: list[tuple[str, str]]) -> None:
        target = self._target
        host = f"[{target.host}]" if ":" in target.host else target.host
        where = f"{host}:{target.port}"
        lines = [f"CONNECT {where} HTTP/1.1", f"Host: {where}"]
        lines += [f"{name}: {value}" for name, value in login]
        self._write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        status, _ = self._head()
        if status != 200:
            raise Unavailable(f"the proxy refused a tunnel to {where} (status {status})")

    def _secure(self) -> None:
        import socket
        import ssl

        plain = socket.socket(fileno=self._sock.detach())
        plain.settimeout(self._left())
        context = ssl.create_default_context()
        self._sock = context.wrap_socket(plain, server_hostname=self._target.host)

    def _left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("no answer in time")
        return left

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            self._sock.settimeout(self._left())
            view = view[self._sock.send(view[:_CHUNK]) :]

    def _more(self) -> bool:
        self._sock.settimeout(self._left())
        data = self._sock.recv(_CHUNK)
        self._buffer += data
        return bool(data)

    def _head(self) -> tuple[int, dict[str, str]]:
        for _ in range(_MAX_INTERIM):
            first, *rest = self._head_lines()
            version, _, tail = first.partition(" ")
            status = tail[:3]
            if not version.startswith("HTTP/1.") or not (status.isascii() and status.isdigit()):
                break
            if not status.startswith("1"):
                pairs = (line.partition(":") for line in rest)
                named = {name.strip().lower(): value.strip() for name, _, value in pairs}
                return int(status), named
        raise Unavailable("what answers there does not speak HTTP")

    def _head_lines(self) -> list[str]:
        while b"\r\n\r\n" not in self._buffer:
            if len(self._buffer) > MAX_HEAD_BYTES or not self._more():
                raise Unavailable("what answers there does not speak HTTP")
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        return head.decode("latin-1").split("\r\n")

    def _body(self, status: int, headers: dict[str, str]) -> bytes:
        if status in {204, 304}:
            return b""
        if headers.get("transfer-encoding", "").lower() == "chunked":
            return self._chunked()
        length = headers.get("content-length")
        if length is None:
            while self._more():
                self._check_size(len(self._buffer))
            return self._buffer
        if not (length.isascii() and length.isdigit()):
            raise Unavailable("the answer's length is not a number")
        return self._take(int(length))

    def _take(self, size: int) -> bytes:
        self._check_size(size)
        while len(self._buffer) < size:
            if not self._more():
                raise Unavailable("the answer broke off")
        taken, self._buffer = self._buffer[:size], self._buffer[size:]
        return taken

    def _chunked(self) -> bytes:
        whole = b""
        while True:
            while b"\r\n" not in self._buffer:
                if len(self._buffer) > MAX_HEAD_BYTES or not self._more():
                    raise Unavailable("the answer broke off")
            line, _, self._buffer = self._buffer.partition(b"\r\n")
            try:
                size = int(line.partition(b";")[0], 16)
            except ValueError:
                raise Unavailable("the answer's length is not a number") from None
            if size == 0:
                return whole
            self._check_size(len(whole) + size)
            whole += self._take(size)
            self._take(2)

    def _check_size(self, size: int) -> None:
        if not 0 <= size <= self._max_bytes:
            raise Unavailable(f"the answer is larger than {self._max_bytes} bytes")


def connect(host: str, port: int, deadline: float) -> Any:
    """Return a connected socket, trying every address the name has within the deadline.

    Raises: OSError.
    """
    problem: OSError = OSError("the name has no address")
    addresses = _addresses(host, port, deadline)
    for at, (family, address) in enumerate(addresses):
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("no answer in time")
        sock = _socket.socket(family, _socket.SOCK_STREAM)
        # An address that swallows packets must leave time for the next one.
        sock.settimeout(left / (len(addresses) - at))
        try:
            sock.connect(address)
        except OSError as error:
            sock.close()
            problem = error
        else:
            return sock
    raise problem


def _addresses(host: str, port: int, deadline: float) -> list[tuple[int, Any]]:
    for family in (_socket.AF_INET, _socket.AF_INET6):
        try:
            _socket.inet_pton(family, host)
        except (OSError, ValueError):
            continue
        return [(family, (host, port))]
    # Bytes, since a str would load the idna codec.
    name = host.encode("ascii")
    found: list[Any] = []
    done = _thread.allocate_lock()
    done.acquire()

    def look_up() -> None:
        try:
            found.append(_socket.getaddrinfo(name, port, 0, _socket.SOCK_STREAM))
        except OSError as error:
            found.append(error)
        finally:
            done.release()

    # The resolver cannot be interrupted; a thread left behind in it does not hold up the exit.
    _thread.start_new_thread(look_up, ())
    if not done.acquire(timeout=max(deadline - time.monotonic(), 0.0)):
        raise TimeoutError("the name's address was not found in time")
    if isinstance(found[0], OSError):
        raise found[0]
    return [(entry[0], entry[4]) for entry in found[0]]


def _proxy_login(proxy: str) -> list[tuple[str, str]]:
    userinfo, at, _ = proxy.partition("://")[2].partition("/")[0].rpartition("@")
    if not at:
        return []
    import base64
    from urllib.parse import unquote_to_bytes

    login = base64.b64encode(unquote_to_bytes(userinfo)).decode("ascii")
    return [("Proxy-Authorization", f"Basic {login}")]
