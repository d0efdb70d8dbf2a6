"""The console command as a process: exit codes, pipes, signals, terminals, completion."""

from __future__ import annotations

import json
import os
import pty
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from support.cli import Cli
from support.hosts import COMMAND
from support.wait import until

CLIENT_ONLY = (
    "import sys, importlib.util\n"
    "importlib.util.find_spec = lambda name: None\n"
    "from commonplace.clients.entry import main\n"
    "sys.exit(main())\n"
)


def run(cli: Cli, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, *words], cwd=cli.folder, env={**cli.env, **more}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip


def on_terminal(cli: Cli, *words: str, **more: str) -> str:
    """Run the command with a terminal as stdin, stdout and stderr; return what it shows."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [COMMAND, *words], cwd=cli.folder, env={**cli.env, **more},
        stdin=theirs, stdout=theirs, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    shown = bytearray()
    try:
        while part := os.read(ours, 65536):
            shown += part
    except OSError:
        pass  # Linux tells the end of a terminal so
    finally:
        os.close(ours)
    assert process.wait(timeout=60) == 0
    return shown.decode("utf-8")


def test_exit_codes_are_0_done_1_refused_2_usage_3_not_reachable(cli: Cli) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{closed.getsockname()[1]}"
        done = [
            run(cli, "list"),
            run(cli, "get", "not-there"),
            run(cli, "get"),
            run(cli, "list", COMMONPLACE_URL=nowhere),
        ]
    assert [each.returncode for each in done] == [0, 1, 2, 3]
    assert done[3].stderr.startswith(f"error UNAVAILABLE: no commonplace server at {nowhere}")
    assert "commonplace serve" in done[3].stderr
    assert not any("Traceback" in each.stderr for each in done)


def test_the_server_is_not_asked_for_scope_config_and_help(cli: Cli) -> None:
    for words in (("scope",), ("config",), ("help",), ("help", "errors"), ("--version",)):
        assert run(cli, *words, COMMONPLACE_URL="http://127.0.0.1:1").returncode == 0


def test_a_pipe_that_closes_early_is_no_failure(cli: Cli) -> None:
    for number in range(3):
        cli.remember(f"m{number}", "A fact")
    command = f"'{COMMAND}' list --json | head -c 1; echo \"${{PIPESTATUS[0]}}\""
    done = subprocess.run(
        ["bash", "-c", command], cwd=cli.folder, env=cli.env, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("{0\n", "")
    gone, end = os.pipe()
    os.close(gone)
    silent = subprocess.run(
        [COMMAND, "list"], cwd=cli.folder, env=cli.env, stdin=subprocess.DEVNULL, stdout=end,
        stderr=subprocess.PIPE, timeout=60, check=False,
    )  # fmt: skip
    os.close(end)
    assert (silent.returncode, silent.stderr) == (0, b"")


def test_a_full_disk_or_a_closed_stdout_gives_no_traceback(cli: Cli) -> None:
    for end, code in (("> /dev/full", 1), (">&-", 0), ("2>&-", 0), ("<&-", 0)):
        done = subprocess.run(
            ["bash", "-c", f"'{COMMAND}' scope {end}"], cwd=cli.folder, env=cli.env,
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == code, (end, done)
        assert done.stderr == "" if code == 0 else "No space left" in done.stderr
    help_ = f"'{COMMAND}' --help | head -n 1"
    done = subprocess.run(
        ["bash", "-c", help_], cwd=cli.folder, env=cli.env, capture_output=True, text=True,
        timeout=60, check=True,
    )  # fmt: skip
    assert done.stderr == ""


def test_a_standard_input_that_never_ends_holds_nothing_up_unless_it_is_a_pipe(cli: Cli) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        done = subprocess.run(
            [COMMAND, "remember", "a", "One"], cwd=cli.folder, env=cli.env, stdin=theirs.fileno(),
            capture_output=True, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 0


def test_an_interrupt_ends_quietly_with_130(cli: Cli) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(30)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        process = subprocess.Popen(
            [COMMAND, "list"], cwd=cli.folder, env={**cli.env, "COMMONPLACE_URL": url},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        with listener.accept()[0] as connection:
            connection.recv(65536)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_colour_is_only_for_terminals_and_only_if_wanted(cli: Cli) -> None:
    cli.remember("a", "One")
    assert "\x1b[1m" in on_terminal(cli, "get", "a")
    assert "\x1b" not in run(cli, "get", "a").stdout
    assert "\x1b" not in on_terminal(cli, "get", "a", NO_COLOR="1")
    assert "\x1b" not in on_terminal(cli, "get", "a", TERM="dumb")
    assert "\x1b" not in on_terminal(cli, "get", "a", "--no-color")


def test_a_terminal_gets_no_escape_of_a_stored_text_even_when_raw_is_asked(cli: Cli) -> None:
    body = "before \x1b[2J\x1b]0;owned\x07 after"
    cli("call", "remember", json.dumps(
        {"scope": cli.scope, "name": "a", "description": "One", "body": body}
    ))  # fmt: skip
    for words in (("get", "a"), ("get", "a", "--raw"), ("get", "a", "--json")):
        shown = on_terminal(cli, *words)
        assert "\x1b[2J" not in shown
        assert "\x1b]0" not in shown
        assert "\x07" not in shown
    assert run(cli, "get", "a", "--raw").stdout == body


def test_an_ascii_terminal_gets_escapes_instead_of_a_failure(cli: Cli) -> None:
    cli.remember("a", "漢字")
    done = run(cli, "get", "a", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert "\\u6f22" in done.stdout


def test_no_command_loads_rich_or_pydantic(cli: Cli) -> None:
    cli.remember("a", "One")
    done = subprocess.run(
        [sys.executable, "-X", "importtime", COMMAND, "get", "a", "--json"], cwd=cli.folder,
        env=cli.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        check=True,
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert {"typer", "commonplace.clients.cli.options"} <= loaded
    heavy = ("rich", "pydantic", "fastmcp", "apsw", "numpy", "onnxruntime")
    assert not {name for name in loaded if name.partition(".")[0] in heavy}


def test_serve_tells_how_to_install_what_it_needs(cli: Cli) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CLIENT_ONLY, "serve", "--http"], cwd=cli.folder, env=cli.env,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "pip install 'commonplace-memory[server]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_serve_runs_the_server_of_the_package_and_not_of_the_folder(
    cli: Cli, tmp_path: Path
) -> None:
    (cli.folder / "commonplace").mkdir()
    (cli.folder / "commonplace" / "__init__.py").write_text("raise SystemExit(77)\n")
    port_file = tmp_path / "port"
    process = subprocess.Popen(
        [COMMAND, "serve", "--http", "--port", "0", "--db", str(tmp_path / "store.db"),
         "--port-file", str(port_file)],
        cwd=cli.folder, env=cli.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        until(lambda: process.poll() is not None or port_file.exists(), "the server's port", 60)
        assert process.poll() is None
        port = until(lambda: port_file.read_text().strip(), "the server's port", 60)
        assert run(cli, "list", COMMONPLACE_URL=f"http://127.0.0.1:{port}").returncode == 0
    finally:
        process.terminate()
        process.communicate(timeout=30)


def complete(cli: Cli, line: str, **more: str) -> list[str]:
    """Return what bash would be offered at the end of the line."""
    words = line.split(" ")
    done = run(
        cli,
        _COMMONPLACE_COMPLETE="complete_bash",
        COMP_WORDS="\n".join(words),
        COMP_CWORD=str(len(words) - 1),
        **more,
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_the_shell_completes_commands_names_scopes_and_types(cli: Cli) -> None:
    cli.remember("build-cache-path")
    cli.remember("build-host", "Text", "", "--scope", "host")
    assert complete(cli, "commonplace rem") == ["remember"]
    assert complete(cli, "commonplace get build-") == ["build-cache-path", "build-host"]
    assert complete(cli, "commonplace get -s host build-") == ["build-host"]
    assert complete(cli, "commonplace list --type f") == ["feedback"]
    assert cli.scope in complete(cli, "commonplace list --scope proj")
    assert complete(cli, "commonplace help err") == ["errors"]


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "not an address"])
def test_completion_is_silent_when_the_server_is_away(cli: Cli, url: str) -> None:
    assert complete(cli, "commonplace get bui", COMMONPLACE_URL=url) == []
    assert complete(cli, "commonplace list -s glo", COMMONPLACE_URL=url) == ["global"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_each_shell_gets_its_script(cli: Cli, shell: str) -> None:
    done = run(cli, _COMMONPLACE_COMPLETE=f"source_{shell}")
    assert done.returncode == 0
    assert "_COMMONPLACE_COMPLETE" in done.stdout
