"""Measure the session-start hook against `python -c pass`, as medians of 20 interleaved runs.

Run: python benchmarks/hook.py [--runs N] [--away]. It starts its own server on a free port over an
empty store in a temporary folder, fills it, and stops it again. `--away` also measures the hook
with nobody listening and with a port that swallows packets.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import commonplace

BOUND = 2.5
COMMAND = [str(Path(sys.executable).parent / "commonplace"), "index", "--hook"]
PASS = [sys.executable, "-c", "pass"]


def main() -> int:
    """Print both medians and their ratio; return 1 when the ratio is above its bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--away", action="store_true")
    args = parser.parse_args()
    # An installed wheel is compiled at its installation; a checkout may not have been run yet.
    compileall.compile_dir(Path(commonplace.__file__).parent, quiet=2)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        repo = home / "repo"
        subprocess.run(["git", "init", "-q", repo], check=True)
        remote = ("remote.origin.url", "https://github.com/acme/widget")
        subprocess.run(["git", "-C", repo, "config", *remote], check=True)
        with server(home) as url:
            fill(url)
            ratio = compare(args.runs, repo, environment(home, url))
        if args.away:
            away(args.runs, repo, home)
    return 0 if ratio <= BOUND else 1


def environment(home: Path, url: str) -> dict[str, str]:
    """Return a client's environment with a home of its own."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(home / "home"), "COMMONPLACE_URL": url, "COMMONPLACE_HOST": "bench"}


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """Run a server until the block ends and give its URL."""
    port_file = folder / "port"
    words = ["--http", "--port", "0", "--db", folder / "store.db", "--port-file", port_file]
    process = subprocess.Popen(
        [sys.executable, "-m", "commonplace.server", *words], stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 60
        while not (port_file.exists() and port_file.read_text().strip()):
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("the server did not start")
            time.sleep(0.02)
        yield f"http://127.0.0.1:{port_file.read_text().strip()}"
    finally:
        process.terminate()
        process.wait(30)


def fill(url: str) -> None:
    """Write as many memories as an index shows."""
    for at in range(120):
        scope = ("global", "host:bench", "project:github.com/acme/widget")[at % 3]
        memory = {
            "scope": scope,
            "name": f"fact-{at:03}",
            "type": "project",
            "description": f"what was found out about part {at} of the build, in one line",
            "body": "the whole of it",
        }
        request = urllib.request.Request(
            f"{url}/api/v1/remember",
            json.dumps(memory).encode(),
            {"Content-Type": "application/json"},
        )
        urllib.request.urlopen(request, timeout=30).close()


def compare(runs: int, repo: Path, env: dict[str, str]) -> float:
    """Measure both in turn, print them, and return the ratio of their medians."""
    timed(COMMAND, repo, env)
    bare: list[float] = []
    hook: list[float] = []
    for _ in range(runs):
        bare.append(timed(PASS, repo, env)[0])
        seconds, output = timed(COMMAND, repo, env)
        if b"of 120 memories" not in output:
            raise SystemExit(f"the hook did not print the index: {output[:200]!r}")
        hook.append(seconds)
    ratio = statistics.median(hook) / statistics.median(bare)
    print(f"python -c pass          median {report(bare)}")
    print(f"commonplace index --hook median {report(hook)}")
    print(f"ratio {ratio:.2f} (bound {BOUND}), {runs} interleaved runs of each")
    return ratio


def away(runs: int, repo: Path, home: Path) -> None:
    """Print how long the hook takes with no server, and with one that swallows packets."""
    with socket.socket() as hole:
        hole.bind(("127.0.0.1", 0))
        port = hole.getsockname()[1]
        closed = [
            timed(COMMAND, repo, environment(home / "a", url_of(port)))[0] for _ in range(runs)
        ]
        hole.listen(0)
        fillers = [socket.socket() for _ in range(8)]
        for filler in fillers:
            filler.settimeout(0)
            filler.connect_ex(("127.0.0.1", port))
        swallowed = [
            timed(COMMAND, repo, environment(home / "a", url_of(port)))[0]
            for _ in range(min(runs, 5))
        ]
        for filler in fillers:
            filler.close()
    print(f"nobody listening        median {report(closed)}")
    print(f"packets swallowed       longest {max(swallowed) * 1000:.0f} ms (bound 1500 ms)")


def url_of(port: int) -> str:
    """Return the loopback URL of a port."""
    return f"http://127.0.0.1:{port}"


def timed(command: list[str], cwd: Path, env: dict[str, str]) -> tuple[float, bytes]:
    """Run a command to its end; return the seconds it took and what it printed."""
    begun = time.perf_counter()
    done = subprocess.run(
        command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=True
    )
    return time.perf_counter() - begun, done.stdout


def report(times: list[float]) -> str:
    """Return median and range in milliseconds."""
    low, high = min(times) * 1000, max(times) * 1000
    return f"{statistics.median(times) * 1000:6.1f} ms ({low:.1f} to {high:.1f})"


if __name__ == "__main__":
    sys.exit(main())
