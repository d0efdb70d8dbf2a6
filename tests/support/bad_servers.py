"""Servers that are up and no use: each answers a connection in its own wrong way."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

HTML = b"<html><body>Please log in to the hotel's network</body></html>"
Behaviour = Callable[[socket.socket, threading.Event], None]


def _answer(head: str, body: bytes, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    return f"HTTP/1.1 {head}\r\nContent-Length: {size}\r\n\r\n".encode() + body


def answering(head: str, body: bytes) -> Behaviour:
    """Answer every request with this status line, further headers and body."""
    return _says(_answer(head, body))


def _says(data: bytes, *, hold: bool = False) -> Behaviour:
    def behave(peer: socket.socket, over: threading.Event) -> None:
        _request(peer)
        peer.sendall(data)
        if hold:
            over.wait(30)

    return behave


def _request(peer: socket.socket) -> bytes:
    """Read one request whole, so that closing does not reset what was answered."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += (more := peer.recv(65536))
        if not more:
            return data
    head, _, body = data.partition(b"\r\n\r\n")
    size = next(
        (int(line[15:]) for line in head.lower().split(b"\r\n") if line[:15] == b"content-length:"),
        0,
    )
    while len(body) < size:
        body += (more := peer.recv(65536))
        if not more:
            break
    return head + b"\r\n\r\n" + body


def _silent(_peer: socket.socket, over: threading.Event) -> None:
    over.wait(30)


def _closes(peer: socket.socket, _over: threading.Event) -> None:
    peer.shutdown(socket.SHUT_RDWR)


def _drips(peer: socket.socket, over: threading.Event) -> None:
    for byte in _answer("200 OK\r\nContent-Type: application/json", b'{"text":"' + b"x" * 200):
        peer.sendall(bytes([byte]))
        if over.wait(0.2):
            return


def _endless(head: bytes, part: bytes) -> Behaviour:
    def behave(peer: socket.socket, over: threading.Event) -> None:
        _request(peer)
        peer.sendall(head)
        while not over.is_set():
            peer.sendall(part * 1000)

    return behave


JSON = "200 OK\r\nContent-Type: application/json"
BAD: dict[str, Behaviour] = {
    "accepts and never answers": _silent,
    "closes at once": _closes,
    "one byte at a time": _drips,
    "200 with HTML": _says(_answer("200 OK\r\nContent-Type: text/html", HTML)),
    "403 page of a proxy": _says(_answer("403 Forbidden\r\nContent-Type: text/html", HTML)),
    "502 and nothing": _says(_answer("502 Bad Gateway", b"")),
    "truncated JSON": _says(_answer(JSON, b'{"text": "half')),
    "breaks off": _says(_answer(JSON, b'{"text": "half', 5000)),
    "stops in the middle": _says(_answer(JSON, b'{"text": "half', 5000), hold=True),
    "endless body": _endless(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 64),
    "endless chunks": _endless(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"4\r\nxxxx\r\n"
    ),
    "endless headers": _endless(b"HTTP/1.1 200 OK\r\n", b"X-More: yes\r\n"),
    "endless patience": _endless(b"", b"HTTP/1.1 102 Processing\r\n\r\n"),
    "says it is huge": _says(_answer(JSON, b"{}", 10**18)),
    "bad chunk": _says(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
    "bad length": _says(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}"),
    "wrong service": _says(_answer(JSON, b'{"jsonrpc": "2.0"}')),
    "another service's refusal": _says(
        _answer(
            "404 Not Found\r\nContent-Type: application/json",
            b'{"error": {"code": "NOT_FOUND", "message": "no such page"}}',
        )
    ),
    "another service's text": _says(_answer(JSON, b'{"text": "Buy our printer ink"}')),
    "a list": _says(_answer(JSON, b"[1, 2]")),
    "no HTTP": _says(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"),
    "redirects to itself": _says(_answer("302 Found\r\nLocation: /api/v1/index", b"")),
    "NaN": _says(_answer(JSON, b'{"text": NaN}')),
    "not UTF-8": _says(_answer(JSON, b'{"text": "\xff"}')),
    "deeply nested": _says(_answer(JSON, b"[" * 200_000)),
}
UNAUTHORIZED = _says(
    _answer(
        "401 Unauthorized\r\nX-Commonplace: 1.0\r\nContent-Type: application/json",
        b'{"error": {"code": "UNAUTHORIZED", "message": "a token is needed", "details": {}}}',
    )
)


@contextmanager
def serving(behave: Behaviour, seen: list[bytes] | None = None) -> Iterator[int]:
    """Serve the behaviour on a free port and give the port; every thread ends with the block."""
    over = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))
    threads: list[threading.Thread] = []

    def handle(peer: socket.socket) -> None:
        with peer:
            peer.settimeout(30)
            try:
                if seen is not None:
                    seen.append(peer.recv(65536, socket.MSG_PEEK))
                behave(peer, over)
            except OSError:
                return  # the client has gone, as it should

    def accept() -> None:
        while True:
            try:
                peer, _ = listener.accept()
            except OSError:
                return
            threads.append(threading.Thread(target=handle, args=(peer,)))
            threads[-1].start()

    acceptor = threading.Thread(target=accept)
    acceptor.start()
    try:
        yield listener.getsockname()[1]
    finally:
        over.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        for thread in [acceptor, *threads]:
            thread.join(30)


@contextmanager
def black_hole() -> Iterator[int]:
    """Give a port whose queue is full, so that the system drops every further SYN."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(0)
    fillers = [socket.socket() for _ in range(8)]
    try:
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]
    finally:
        for each in (listener, *fillers):
            each.close()


def closed_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
