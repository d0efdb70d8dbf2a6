"""A real server process on a free port of the loopback address, over its own store."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from support.http import Api, Reply
from support.wait import until


class Server:
    """One server over one store file: start, stop, kill -9, start again on the same port."""

    def __init__(
        self,
        folder: Path,
        env: dict[str, str] | None = None,
        command: tuple[str, ...] = (sys.executable, "-m", "commonplace.server"),
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.db = folder / "store.db"
        self.log = folder / "server.log"
        self.env = dict(os.environ if env is None else env)
        self.command = command
        self.port = 0
        self.process: subprocess.Popen[bytes] | None = None
        self._api: Api | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def api(self) -> Api:
        assert self._api is not None, "the server was never started"
        return self._api

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def start(self) -> Server:
        port_file = self.folder / "port"
        port_file.unlink(missing_ok=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *self.command,
                    "--http",
                    "--host",
                    "127.0.0.1",
                    "--port",
                    str(self.port),
                    "--db",
                    str(self.db),
                    "--port-file",
                    str(port_file),
                ],
                cwd=self.folder,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.port = int(until(lambda: self._announced(port_file), "the server's port", 60))
        self._api = Api(self.port)
        until(self._healthy, "a healthy server")
        return self

    def stop(self) -> int:
        """Ask it to end, wait, and return its exit code."""
        return self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a power cut would, without a chance to tidy up."""
        self._end(signal.SIGKILL)

    def call(self, operation: str, **arguments: object) -> Reply:
        """Call an operation through the JSON route, on this thread's own connection."""
        return self.api.call(operation, **arguments)

    def log_tail(self, size_bytes: int = 6000) -> str:
        if not self.log.exists():
            return ""
        return self.log.read_bytes()[-size_bytes:].decode("utf-8", "replace")

    def _announced(self, port_file: Path) -> str:
        assert self.process is not None
        if self.process.poll() is not None:
            raise AssertionError(
                f"the server ended at once, exit {self.process.returncode}:\n{self.log_tail()}"
            )
        text = port_file.read_text(encoding="ascii") if port_file.exists() else ""
        return text.strip() if text.endswith("\n") or text.strip().isdigit() else ""

    def _healthy(self) -> bool:
        return self.api.request("GET", "/healthz").status == 200

    def _end(self, number: int) -> int:
        process, self.process = self.process, None
        if self._api is not None:
            self._api.close()
        if process is None:
            return 0
        process.send_signal(number)
        try:
            return process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=20)
            raise AssertionError(f"the server did not end on signal {number}") from None
