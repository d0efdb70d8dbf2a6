"""The server process: arguments in, a listening server until a signal, a graceful end."""

from __future__ import annotations

import argparse
import dataclasses
import errno
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

import uvicorn

from commonplace import bootstrap
from commonplace.errors import CommonplaceError, Unavailable
from commonplace.settings import SETTINGS, Settings, read
from commonplace.wire.app import SERVICE_HEADER

GRACE_S = 10
KEEP_ALIVE_S = 75
BACKLOG = 2048


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until SIGINT or SIGTERM; return the exit code."""
    parser = _parser()
    args = parser.parse_args(argv)
    try:
        serve(_settings(args), lambda url: _announce(url, args))
    except CommonplaceError as error:
        print(f"commonplace: {error.code}: {error.message}", file=sys.stderr)  # noqa: T201
        return 1
    return 0


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Open the store, then listen, then call `ready` with the real URL; return when told to stop.

    Raises: CommonplaceError, when the store or the port cannot be had.
    """
    with bootstrap.opened(settings) as context:
        listener = _bind(settings.listen_host, settings.listen_port)
        config = uvicorn.Config(
            bootstrap.app(context),
            http="httptools",
            ws="none",
            lifespan="on",
            log_level="warning",
            access_log=False,
            server_header=False,
            headers=[(SERVICE_HEADER, context.version)],
            proxy_headers=False,
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=GRACE_S,
        )
        # uvicorn raises the signal again once it has stopped serving: it must not end the process
        # before the store has written what waits.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _go_on)
        with listener:
            _Server(config, lambda: ready(_url(listener))).run(sockets=[listener])


def _go_on(_number: int, _frame: FrameType | None) -> None:
    """Take a signal that has been obeyed already."""


class _Server(uvicorn.Server):
    """uvicorn that tells when it has begun to listen."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._ready()


def _parser() -> argparse.ArgumentParser:
    docs = {
        setting.name: f"{setting.doc} ({setting.env}, {setting.default})" for setting in SETTINGS
    }
    parser = argparse.ArgumentParser(prog="commonplace serve", description=main.__doc__)
    parser.add_argument(
        "--http", action="store_true", help="Serve over HTTP (the only way there is)"
    )
    parser.add_argument("--host", metavar="H", dest="listen_host", help=docs["listen_host"])
    parser.add_argument(
        "--port", metavar="P", dest="listen_port", type=_port, help=docs["listen_port"]
    )
    parser.add_argument("--db", metavar="FILE", type=Path, help=docs["db"])
    parser.add_argument(
        "--ready-fd", metavar="N", type=int, help="Write the URL to this descriptor"
    )
    parser.add_argument(
        "--port-file", metavar="FILE", type=Path, help="Write the port to this file"
    )
    return parser


def _port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"a port is 0 to 65535, not {number}")
    return number


def _settings(args: argparse.Namespace) -> Settings:
    names = {field.name for field in dataclasses.fields(Settings)}
    given = {name: held for name, held in vars(args).items() if name in names and held is not None}
    return dataclasses.replace(read(), **given)


def _bind(host: str, port: int) -> socket.socket:
    """Return a bound socket that does not listen yet.

    Raises: Unavailable, naming the address and the option that changes it.
    """
    bare = host.strip("[]")
    try:
        family, _, _, _, address = socket.getaddrinfo(
            bare, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise Unavailable(
            f"no address for host {host!a}; choose another with --host", host=host
        ) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise Unavailable(_bind_message(bare, port, error), host=host, port=port) from error
    return listener


def _bind_message(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} on {host} is taken; stop what listens there, or choose a --port"
    if error.errno == errno.EACCES:
        return f"port {port} on {host} may not be bound by this user; choose another with --port"
    return f"{host} port {port} cannot be bound ({error.strerror}); choose another with --host"


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _announce(url: str, args: argparse.Namespace) -> None:
    print(f"commonplace: serving {url} (MCP at {url}/mcp)", file=sys.stderr, flush=True)  # noqa: T201
    if args.port_file is not None:
        # Whole or not there: a reader must never see half a number.
        part = args.port_file.with_name(f"{args.port_file.name}.part")
        part.write_text(url.rpartition(":")[2] + "\n", encoding="utf-8")
        part.replace(args.port_file)
    if args.ready_fd is not None:
        with os.fdopen(args.ready_fd, "w", encoding="utf-8") as ready:
            ready.write(f"{url}\n")


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    # All is written and closed. A thread may still be importing FastMCP: ending the usual way would
    # wait for it, and a process told to stop need not.
    os._exit(code)
