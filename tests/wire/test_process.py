"""The server process: how it starts, refuses to start, and ends."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from support.server import Server

from commonplace.errors import Invalid
from commonplace.settings import SETTINGS, Settings, read

COMMAND = [sys.executable, "-m", "commonplace.server", "--http"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=60, check=False
    )


def test_a_taken_port_is_named_with_the_option_that_changes_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("--port", str(port), "--db", str(tmp_path / "s.db"))
    assert done.returncode == 1
    assert f"port {port} on 127.0.0.1 is taken" in done.stderr
    assert "--port" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_store_that_cannot_be_opened_is_one_line_and_exit_1(tmp_path: Path) -> None:
    bad = tmp_path / "s.db"
    bad.write_text("this is no store" * 100, encoding="utf-8")
    done = run("--port", "0", "--db", str(bad))
    assert done.returncode == 1
    assert done.stderr.startswith("commonplace: STORE_DAMAGED: ")
    assert done.stderr.count("\n") == 1


def test_a_store_held_by_a_server_is_refused_to_a_second_one(wire_server: Server) -> None:
    done = run("--port", "0", "--db", str(wire_server.db))
    assert done.returncode == 1
    assert f"process {wire_server.pid}" in done.stderr


def test_an_address_that_is_none_is_refused(tmp_path: Path) -> None:
    done = run("--port", "0", "--host", "no.such.host.invalid", "--db", str(tmp_path / "s.db"))
    assert done.returncode == 1
    assert "--host" in done.stderr


def test_it_listens_on_ipv6_and_writes_its_url_to_a_descriptor(tmp_path: Path) -> None:
    if not socket.has_ipv6 or not Path("/proc/net/if_inet6").exists():
        pytest.skip("no IPv6 here")
    reading, writing = os.pipe()
    command = [*COMMAND, "--host", "::1", "--port", "0", "--db", str(tmp_path / "s.db")]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--ready-fd", str(writing)], pass_fds=[writing], stderr=log
        )
    os.close(writing)
    try:
        with os.fdopen(reading, encoding="utf-8") as ready:
            url = ready.read().strip()
        assert url.startswith("http://[::1]:"), (tmp_path / "log").read_text()
    finally:
        process.terminate()
        assert process.wait(timeout=20) == 0


def test_what_was_acknowledged_is_there_after_stop_and_start(tmp_path: Path) -> None:
    server = Server(tmp_path / "server").start()
    try:
        assert server.call("remember", scope="global", name="n", description="d").ok
        assert server.stop() == 0
        server.start()
        assert server.call("get", name="n").ok["version"] == 1
    finally:
        server.stop()
    assert "Traceback" not in server.log_tail()


def test_every_setting_is_read_from_its_variable() -> None:
    given = {
        "COMMONPLACE_DB": "/data/x.db",
        "COMMONPLACE_LISTEN_HOST": "::1",
        "COMMONPLACE_LISTEN_PORT": "0",
        "COMMONPLACE_BODY_LIMIT": "100",
        "COMMONPLACE_REQUEST_LIMIT": "2000",
        "COMMONPLACE_THREADS": "2",
        "COMMONPLACE_SECRETS": "Redact",
        "COMMONPLACE_MODEL": "/models/bge",
        "COMMONPLACE_MODEL_THREADS": "1",
        "COMMONPLACE_LINK_BOOST": "0",
    }
    assert set(given) == {setting.env for setting in SETTINGS}
    assert read(given) == Settings(
        db=Path("/data/x.db"),
        listen_host="::1",
        listen_port=0,
        body_limit=100,
        request_limit=2000,
        threads=2,
        secrets="redact",
        model="/models/bge",
        model_threads=1,
        link_boost=0.0,
    )


def test_the_store_lies_under_the_data_home_by_default() -> None:
    assert read({"XDG_DATA_HOME": "/d"}).db == Path("/d/commonplace/commonplace.db")
    relative = read({"XDG_DATA_HOME": "d"}).db
    assert relative == Path.home() / ".local/share/commonplace/commonplace.db"


@pytest.mark.parametrize("value", ["x", "-1", "65536", "1.5"])
def test_a_bad_setting_names_its_variable_and_form(value: str) -> None:
    with pytest.raises(Invalid, match="COMMONPLACE_LISTEN_PORT must be a whole number from 0"):
        read({"COMMONPLACE_LISTEN_PORT": value})


def test_a_configured_body_limit_is_named_when_it_is_met(tmp_path: Path) -> None:
    env = {**os.environ, "COMMONPLACE_BODY_LIMIT": "10"}
    server = Server(tmp_path / "server", env).start()
    try:
        reply = server.call("remember", scope="global", name="n", description="d", body="x" * 11)
        assert (reply.status, reply.code) == (413, "TOO_LARGE")
        assert "10" in json.dumps(reply.error["message"])
    finally:
        server.stop()


def test_json_is_served_before_fastmcp_is_loaded() -> None:
    """FastMCP takes seconds to import, and a hook that calls after a restart must not wait."""
    code = "import commonplace.bootstrap, sys; print('fastmcp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
