"""The wheel by itself: built, installed into fresh environments outside the checkout, used."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.hosts import MACHINE_ENV, Host, client_environment
from support.server import Server

ROOT = Path(__file__).resolve().parent.parent
SERVER_ONLY = {"fastmcp", "uvicorn", "apsw", "numpy", "onnxruntime"}
CARRIED = ("migrations", "hooks", "extensions")

pytestmark = [pytest.mark.wheel, pytest.mark.e2e]


def run(*command: str | Path, cwd: Path) -> str:
    """Run with the machine's own environment: pip needs its settings and its cache."""
    done = subprocess.run(
        command, cwd=cwd, env=MACHINE_ENV, check=False, capture_output=True, text=True, timeout=500
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def fresh_environment(folder: Path, wheel: Path, extra: str, lock: Path) -> Path:
    """Install the wheel alone, its dependencies at the locked versions; return the bin folder."""
    run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder.parent)
    python = folder / "bin/python"
    machine_python = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info[1]}"
    run(
        machine_python, "-m", "pip", "--python", python, "install", "-qq",
        "--disable-pip-version-check", "--constraint", lock, f"{wheel}{extra}",
        cwd=folder.parent,
    )  # fmt: skip
    return python.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out, cwd=ROOT)
    (built,) = out.glob("commonplace_memory-*.whl")
    return built


@pytest.fixture(scope="module")
def constraints(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the locked versions without their hashes, which would be asked of the wheel too."""
    lines = (ROOT / "requirements/serve.txt").read_text(encoding="utf-8").splitlines()
    file = tmp_path_factory.mktemp("lock") / "constraints.txt"
    pins = [line.removesuffix("\\").strip() for line in lines if line and not line.startswith(" ")]
    file.write_text("\n".join(pins) + "\n", encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def server_bin(tmp_path_factory: pytest.TempPathFactory, wheel: Path, constraints: Path) -> Path:
    folder = tmp_path_factory.mktemp("server-side") / "venv"
    return fresh_environment(folder, wheel, "[server]", constraints)


@pytest.fixture(scope="module")
def client_bin(tmp_path_factory: pytest.TempPathFactory, wheel: Path, constraints: Path) -> Path:
    folder = tmp_path_factory.mktemp("client-side") / "venv"
    return fresh_environment(folder, wheel, "", constraints)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, server_bin: Path) -> Iterator[Server]:
    """Give a server that runs from the installed wheel, as a person starts it."""
    folder = tmp_path_factory.mktemp("served")
    env = client_environment(folder / "home")
    running = Server(folder, env, (str(server_bin / "commonplace"), "serve")).start()
    yield running
    running.stop()


def test_the_wheel_carries_the_data_and_nothing_of_the_workshop(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for folder in CARRIED:
        here = [file for file in (ROOT / folder).rglob("*") if file.is_file()]
        for file in here:
            assert f"commonplace/_data/{file.relative_to(ROOT)}" in names
    assert any(name.startswith("commonplace/_data/migrations/0001") for name in names)
    strays = [
        name for name in names if not name.startswith(("commonplace/", "commonplace_memory-"))
    ]
    assert strays == []


def test_a_round_trip_from_the_wheel_alone(
    server: Server, server_bin: Path, tmp_path: Path
) -> None:
    host = Host(
        "wheel-host", tmp_path / "home", server.url, command=(str(server_bin / "commonplace"),)
    )
    round_trip(host, "from-the-wheel")


def test_a_client_only_install_works_with_that_server(
    server: Server, client_bin: Path, tmp_path: Path
) -> None:
    host = Host(
        "thin-host", tmp_path / "home", server.url, command=(str(client_bin / "commonplace"),)
    )
    round_trip(host, "from-a-thin-client")
    envelope = json.loads(host.run("index", "--hook", stdin='{"source": "startup"}').stdout)
    assert "from-a-thin-client" in json.dumps(envelope)


def test_a_client_only_install_holds_no_server_code_and_says_how_to_get_it(
    client_bin: Path, tmp_path: Path
) -> None:
    listed = run(client_bin / "python", "-c", LIST_DISTRIBUTIONS, cwd=tmp_path)
    assert SERVER_ONLY.isdisjoint(listed.split())
    host = Host("thin-host", tmp_path / "home", "http://127.0.0.1:1",
                command=(str(client_bin / "commonplace"),))  # fmt: skip
    refused = host.run("serve", "--http", "--port", "0", exit_code=2)
    assert "commonplace-memory[server]" in refused.stderr
    assert refused.stdout == ""


LIST_DISTRIBUTIONS = """
import importlib.metadata
for found in importlib.metadata.distributions():
    print(found.metadata["Name"])
"""


def round_trip(host: Host, name: str) -> None:
    assert str(ROOT) not in host.run("--version").stdout
    host.run("remember", name, "Said by an installed wheel", "--scope", "global", stdin="the body")
    assert name in host.run("recall", "installed wheel").stdout
    host.run("update", name, "--scope", "global", "--description", "Said again by a wheel")
    versions = json.loads(host.run("history", name, "--scope", "global", "--json").stdout)
    assert [row["version"] for row in versions["versions"]] == [1, 2]
    assert "the body" in host.run("get", name, "--scope", "global").stdout


def test_the_installed_package_is_the_one_that_runs(server_bin: Path, tmp_path: Path) -> None:
    where = run(server_bin / "python", "-c", "import commonplace; print(commonplace.__file__)",
                cwd=tmp_path).strip()  # fmt: skip
    assert Path(where).is_relative_to(server_bin.parent)
    assert not Path(where).is_relative_to(ROOT)
