"""The session-start hook as agents run it: a process with an envelope on stdout, or nothing."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.bad_servers import BAD, HTML, UNAUTHORIZED, black_hole, closed_port, serving
from support.hosts import COMMAND, client_environment
from support.repos import repository
from support.server import Server

from commonplace.clients.hook.envelope import CLIENTS, MAX_BYTES

BOUND_S = 1.5
KEY = "github.com/acme/widget"


class Hook:
    """A client machine whose agents run the hook in a repository."""

    def __init__(self, folder: Path, url: str) -> None:
        self.env = {**client_environment(folder / "home"), "COMMONPLACE_URL": url}
        self.env["COMMONPLACE_HOST"] = "laptop"
        self.repo = repository(folder / "repo", origin="https://github.com/acme/widget")
        self.elsewhere = folder / "elsewhere"
        self.elsewhere.mkdir()
        self.wall_s = 0.0

    def run(
        self, *words: str, stdin: Any = b"", cwd: Path | None = None, command: Any = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the hook; it must end with code 0, and print an envelope or nothing."""
        fed = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
        begun = time.monotonic()
        done = subprocess.run(
            [*(command or [COMMAND, "index", "--hook"]), *words],
            cwd=cwd or self.repo,
            env=self.env,
            capture_output=True,
            check=False,
            timeout=30,
            **fed,
        )
        self.wall_s = time.monotonic() - begun
        assert done.returncode == 0, done.stderr
        assert b"Traceback" not in done.stderr
        assert len(done.stderr.splitlines()) <= 1, done.stderr
        assert HTML not in done.stdout
        if done.stdout:
            json.loads(done.stdout)
        return done

    def text(self, *words: str, **how: Any) -> str:
        """Run the hook and return the context it gives Claude Code."""
        done = self.run(*words, **how)
        output = json.loads(done.stdout)["hookSpecificOutput"]
        assert output["hookEventName"] == "SessionStart"
        return output["additionalContext"]

    def is_in_time(self, *words: str, **how: Any) -> subprocess.CompletedProcess[bytes]:
        """Run the hook within its bound; a busy machine gets three tries."""
        for _ in range(3):
            done = self.run(*words, **how)
            if self.wall_s < BOUND_S:
                return done
        raise AssertionError(f"the hook took {self.wall_s:.2f} s, more than {BOUND_S} s")


@pytest.fixture
def hook(tmp_path: Path, live: Server) -> Hook:
    return Hook(tmp_path, live.url)


@pytest.fixture(scope="module", autouse=True)
def memories(live: Server) -> None:
    for scope in ("global", "host:laptop", f"project:{KEY}"):
        live.call(
            "remember",
            scope=scope,
            name="where-" + scope[:4],
            type="user",
            description=f'a fact of "{scope}" — naïve 🚀',
            body="b",
        ).ok


def payload(**fields: object) -> bytes:
    return json.dumps({"hook_event_name": "SessionStart", **fields}).encode()


# What it prints


def test_the_index_of_this_session_comes_in_an_envelope(hook: Hook) -> None:
    done = hook.run()
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1
    text = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    for name in ("where-proj", "where-host", "where-glob"):
        assert name in text
    assert "🚀".encode() in done.stdout


@pytest.mark.parametrize("client", CLIENTS)
def test_each_client_gets_its_own_envelope(hook: Hook, client: str) -> None:
    envelope = json.loads(hook.run("--client", client).stdout)
    if client in {"copilot", "cursor"}:
        key = "additionalContext" if client == "copilot" else "additional_context"
        assert list(envelope) == [key]
        assert "where-proj" in envelope[key]
    else:
        assert list(envelope) == ["hookSpecificOutput"]
        assert sorted(envelope["hookSpecificOutput"]) == ["additionalContext", "hookEventName"]
    assert envelope == json.loads(hook.run(f"--client={client}").stdout)


def test_the_answer_names_the_event_that_was_asked(hook: Hook) -> None:
    done = hook.run(stdin=json.dumps({"hook_event_name": "SubagentStart"}).encode())
    assert json.loads(done.stdout)["hookSpecificOutput"]["hookEventName"] == "SubagentStart"


def test_bytes_are_utf8_whatever_the_locale(hook: Hook) -> None:
    hook.env.update(LC_ALL="C", LANG="C", PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    assert "— naïve 🚀".encode() in hook.run().stdout


def test_what_is_not_understood_costs_no_index(hook: Hook) -> None:
    done = hook.run("--client", "emacs", "--budget", "much", "--frob")
    assert b"where-proj" in done.stdout
    assert b"--client was not understood; --budget was not understood" in done.stderr


def test_a_broken_setting_is_told_in_one_line(hook: Hook) -> None:
    hook.env["COMMONPLACE_URL"] = "http://me:s3cret@127.0.0.1"
    done = hook.run()
    assert done.stdout == b""
    assert b"COMMONPLACE_URL" in done.stderr
    assert b"s3cret" not in done.stderr


def test_the_agent_that_asks_is_named_to_the_server(hook: Hook) -> None:
    seen: list[bytes] = []
    with serving(BAD["wrong service"], seen) as port:
        hook.env["COMMONPLACE_URL"] = f"http://127.0.0.1:{port}"
        hook.run("--client", "claude")
        hook.run("--client", "gemini")
    assert b"X-Commonplace-Agent: claude-code\r\n" in seen[0]
    assert b"X-Commonplace-Agent: gemini\r\n" in seen[1]


# Sessions


@pytest.mark.parametrize("source", ["startup", "clear", "compact", "new", "something-new"])
def test_a_session_is_answered_once_for_each_source(hook: Hook, source: str) -> None:
    asked = payload(session_id="s1", source=source)
    assert hook.run(stdin=asked).stdout
    assert hook.run(stdin=asked).stdout == b""
    assert hook.run(stdin=payload(session_id="s2", source=source)).stdout
    other = "compact" if source != "compact" else "startup"
    assert hook.run(stdin=payload(session_id="s1", source=other)).stdout


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_a_transcript_taken_up_again_holds_its_index(hook: Hook, source: str) -> None:
    done = hook.run(stdin=payload(session_id="s1", source=source))
    assert (done.stdout, done.stderr) == (b"", b"")


def test_without_a_session_every_call_is_answered(hook: Hook) -> None:
    assert hook.run(stdin=payload(source="startup")).stdout
    assert hook.run(stdin=payload(source="startup")).stdout


def test_copilots_keys_are_read_too(hook: Hook) -> None:
    asked = json.dumps({"sessionId": "c1", "source": "new", "cwd": str(hook.repo)}).encode()
    first = hook.run("--client", "copilot", stdin=asked, cwd=hook.elsewhere)
    assert "where-proj" in json.loads(first.stdout)["additionalContext"]
    assert hook.run("--client", "copilot", stdin=asked).stdout == b""


# Standard input (T12)


def test_the_folder_of_the_payload_goes_before_the_process(hook: Hook) -> None:
    assert "where-proj" not in hook.text(cwd=hook.elsewhere)
    text = hook.text(stdin=payload(cwd=str(hook.repo)), cwd=hook.elsewhere)
    assert "where-proj" in text


@pytest.mark.parametrize(
    "stdin",
    [
        b"",
        b"   \n",
        b"null",
        b"[]",
        b'{"cwd": 5, "source": {}}',
        b'{"cwd": "relative/folder"}',
        b'{"cwd": "/tmp", ',
        b'\xff\xfe{"cwd": "/tmp"}',
        b'{"cwd": "/\xff"}',
        b"x" * 10_000_000,
        b'{"cwd": "' + b"x" * 10_000_000 + b'"}',
    ],
    ids=range(11),
)
def test_rubbish_on_stdin_leaves_the_process_folder(hook: Hook, stdin: bytes) -> None:
    done = hook.is_in_time(stdin=stdin)
    assert b"where-proj" in done.stdout


def test_a_byte_order_mark_and_a_big_payload_are_read(hook: Hook) -> None:
    asked = b"\xef\xbb\xbf" + payload(cwd=str(hook.repo), prompt="x" * 10_000_000)
    assert "where-proj" in hook.text(stdin=asked, cwd=hook.elsewhere)


@pytest.mark.parametrize("written", [b"", b'{"cwd": "/tmp"', b'{"a": {"b": 1}'])
def test_an_open_pipe_does_not_hold_it_up(hook: Hook, written: bytes) -> None:
    reader, writer = os.pipe()
    try:
        os.write(writer, written)
        assert b"where-proj" in hook.is_in_time(stdin=reader).stdout
    finally:
        os.close(reader)
        os.close(writer)


def test_a_whole_object_is_read_from_a_pipe_that_stays_open(hook: Hook) -> None:
    reader, writer = os.pipe()
    try:
        os.write(writer, payload(cwd=str(hook.repo)) + b"\n")
        assert b"where-proj" in hook.run(stdin=reader, cwd=hook.elsewhere).stdout
    finally:
        os.close(reader)
        os.close(writer)


def test_a_terminal_and_a_closed_stdin_are_not_read(hook: Hook) -> None:
    ours, theirs = pty.openpty()
    try:
        assert b"where-proj" in hook.is_in_time(stdin=theirs).stdout
    finally:
        os.close(ours)
        os.close(theirs)
    closed = ["sh", "-c", 'exec "$0" "$@" <&-', COMMAND, "index", "--hook"]
    assert b"where-proj" in hook.is_in_time(command=closed).stdout


def test_a_folder_that_is_gone_gives_host_and_global(hook: Hook) -> None:
    text = hook.text(stdin=payload(cwd=str(hook.elsewhere / "gone")))
    assert "where-host" in text
    assert "where-proj" not in text


# Servers that are no use (T11)


@pytest.fixture
def away(tmp_path: Path) -> Hook:
    return Hook(tmp_path, f"http://127.0.0.1:{closed_port()}")


def assert_nothing_but_a_line(done: subprocess.CompletedProcess[bytes]) -> None:
    assert done.stdout == b""
    assert done.stderr.startswith(b"commonplace: memory is unavailable: "), done.stderr


@pytest.mark.parametrize("case", BAD)
def test_a_useless_server_never_holds_up_a_session(away: Hook, case: str) -> None:
    with serving(BAD[case]) as port:
        away.env["COMMONPLACE_URL"] = f"http://127.0.0.1:{port}"
        assert_nothing_but_a_line(away.is_in_time())


def test_no_server_a_black_hole_and_a_refusal_are_told_in_one_line(away: Hook) -> None:
    assert_nothing_but_a_line(away.is_in_time())
    with black_hole() as port:
        away.env["COMMONPLACE_URL"] = f"http://127.0.0.1:{port}"
        assert_nothing_but_a_line(away.is_in_time())
    with serving(UNAUTHORIZED) as port:
        away.env["COMMONPLACE_URL"] = f"http://127.0.0.1:{port}"
        done = away.is_in_time()
        assert_nothing_but_a_line(done)
        assert b"token is needed" in done.stderr


BLOCKED = """
import _socket, _thread, sys
never = _thread.allocate_lock()
never.acquire()
def {name}(*_): never.acquire()
{where}.{name} = {name}
sys.argv = ["commonplace", "index", "--hook"]
from commonplace.clients.entry import main
main()
"""


@pytest.mark.parametrize(
    ("where", "name"), [("_socket", "getaddrinfo"), ("__import__('os').path", "realpath")]
)
def test_a_hanging_look_up_is_left_behind(away: Hook, where: str, name: str) -> None:
    away.env["COMMONPLACE_URL"] = "http://memory.example:9322"
    script = BLOCKED.format(where=where, name=name)
    assert_nothing_but_a_line(away.is_in_time(command=[sys.executable, "-c", script]))


def test_git_and_ssh_that_hang_leave_time_for_the_server(hook: Hook, tmp_path: Path) -> None:
    for name in ("git", "ssh"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\nsleep 30\n", encoding="utf-8")
        program.chmod(0o755)
    needy = repository(tmp_path / "needy", origin="gh:acme/widget")
    hook.env["PATH"] = f"{tmp_path / 'bin'}{os.pathsep}{hook.env['PATH']}"
    done = hook.is_in_time(cwd=needy)
    assert b"where-host" in done.stdout
    assert b"where-proj" not in done.stdout


# The last index


def test_the_last_index_is_shown_with_its_age_when_the_server_is_away(hook: Hook) -> None:
    fresh = hook.text()
    [kept] = (Path(hook.env["XDG_CACHE_HOME"]) / "commonplace/index").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    entry = json.loads(kept.read_text(encoding="utf-8"))
    entry["saved_at"] -= 3 * 3600 + 60
    dead = f"http://127.0.0.1:{closed_port()}"
    entry["key"][0] = dead
    hook.env["COMMONPLACE_URL"] = dead
    cached_as(hook, entry)
    done = hook.run()
    shown = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    label, _, rest = shown.partition("\n")
    assert "3 hours ago" in label
    assert rest == fresh
    assert done.stderr.startswith(b"commonplace: the memory server is away")


def cached_as(hook: Hook, entry: dict[str, Any]) -> None:
    """Put an entry where the cache looks for its key."""
    script = (
        "import json, sys; from commonplace.clients.cache import IndexCache;"
        " e = json.load(sys.stdin);"
        " IndexCache(sys.argv[1]).keep(tuple(e['key']), e['text'], e['saved_at'])"
    )
    folder = f"{hook.env['XDG_CACHE_HOME']}/commonplace"
    subprocess.run(
        [sys.executable, "-c", script, folder], input=json.dumps(entry), text=True, check=True
    )


def test_a_revoked_token_shows_no_cached_index(hook: Hook) -> None:
    with serving(UNAUTHORIZED) as port:
        url = f"http://127.0.0.1:{port}"
        entry = {"key": [url, "laptop", KEY], "text": "kept", "saved_at": 0.0}
        cached_as(hook, entry)
        hook.env["COMMONPLACE_URL"] = url
        assert_nothing_but_a_line(hook.run())


def test_a_cache_that_cannot_be_written_costs_nothing(hook: Hook, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    hook.env["XDG_CACHE_HOME"] = str(tmp_path / "file")
    done = hook.run(stdin=payload(session_id="s9", source="startup"))
    assert b"where-proj" in done.stdout
    assert done.stderr == b""


# Proxies of the environment (T15)


@pytest.mark.parametrize("no_proxy", ["", "[::1], 100.64.0.0/10,  ,*.ts.net"])
def test_proxies_of_the_environment_are_never_used(hook: Hook, no_proxy: str) -> None:
    dead = f"http://127.0.0.1:{closed_port()}"
    for name in ("HTTP_PROXY", "HTTPS_PROXY"):
        hook.env[name] = hook.env[name.lower()] = dead
    hook.env["ALL_PROXY"] = hook.env["all_proxy"] = "socks5://127.0.0.1:1"
    hook.env["NO_PROXY"] = hook.env["no_proxy"] = no_proxy
    assert "where-proj" in hook.text()


# The caps of T14


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("crowded")).start()
    styles = ("用户身份" * 200, "🚀" * 900, 'say "\\" ' * 100, "é" * 900)
    for at in range(500):
        running.call(
            "remember",
            scope=("global", "host:laptop", f"project:{KEY}")[at % 3],
            name=f"memory-{at:03}",
            type="reference",
            description=f"{at}: {styles[at % 4]}",
            body="b",
        ).ok
    yield running
    running.stop()


@pytest.mark.parametrize("client", CLIENTS)
def test_the_caps_hold_in_bytes_and_in_utf16(tmp_path: Path, crowded: Server, client: str) -> None:
    hook = Hook(tmp_path, crowded.url)
    raw = hook.run("--client", client).stdout.rstrip(b"\n")
    envelope = json.loads(raw)
    context = (
        envelope["hookSpecificOutput"]["additionalContext"]
        if "hookSpecificOutput" in envelope
        else next(iter(envelope.values()))
    )
    for text in (raw.decode(), context):
        assert len(text.encode()) <= MAX_BYTES
        assert len(text.encode("utf-16-le")) // 2 <= MAX_BYTES
    lines = context.splitlines()
    assert len(raw) > MAX_BYTES - 1500
    assert "of 500" in lines[-1]
    first = next(line for line in lines if line.startswith("- ["))
    assert first.startswith("- [project/")


def test_a_smaller_budget_holds_for_the_envelope_too(tmp_path: Path, crowded: Server) -> None:
    hook = Hook(tmp_path, crowded.url)
    for budget in (2000, 3000, 99_999):
        raw = hook.run("--budget", str(budget)).stdout.rstrip(b"\n")
        assert len(raw) <= min(budget, MAX_BYTES)
