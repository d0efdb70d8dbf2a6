"""Calls over real sockets: replies, errors by their code, and every way a server can be no use."""

from __future__ import annotations

import json
import shutil
import socket
import ssl
import subprocess
import threading
import time
from pathlib import Path

import pytest
from support.bad_servers import BAD, HTML, Behaviour, black_hole, closed_port, serving
from support.server import Server

from commonplace import errors
from commonplace.clients import config
from commonplace.clients.api import Api

TOKEN = "tok-s3cr3t"


def api(port: int, **settings: str) -> Api:
    return Api(config.load(url=f"http://127.0.0.1:{port}", **settings), max_bytes=1024 * 1024)


OURS = "X-Commonplace: 1.0\r\n"


def answering(status: str, value: object, head: str = "") -> Behaviour:
    body = json.dumps(value).encode()

    def behave(peer: socket.socket, _over: threading.Event) -> None:
        peer.recv(65536)
        named = f"HTTP/1.1 {status}\r\n{OURS}{head}Content-Length: {len(body)}\r\n\r\n"
        peer.sendall(named.encode())
        peer.sendall(body)

    return behave


def test_a_call_reaches_a_real_server_and_back(live: Server) -> None:
    client = api(live.port, agent="tester", host="laptop")
    wrote = client.call(
        "remember",
        {
            "scope": "global",
            "name": "café",
            "type": "user",
            "description": 'said "hé"\\',
            "body": "naïve 🚀\n",
        },
    )
    assert wrote["version"] == 1
    read = client.call("get", {"name": "café"})
    assert (read["body"], read["author"]) == ("naïve 🚀\n", "tester@laptop")
    assert client.health()["status"]


def test_a_refusal_becomes_the_class_of_its_code(live: Server) -> None:
    client = api(live.port)
    with pytest.raises(errors.NotFound) as missing:
        client.call("get", {"name": "nothing", "scope": "global"})
    assert missing.value.details["name"] == "nothing"
    with pytest.raises(errors.UnknownOperation):
        client.call("no_such_operation", {})
    with pytest.raises(errors.UnknownScopeForm):
        client.call("get", {"name": "x", "scope": "projct:x"})


def test_busy_carries_its_wait_and_an_unknown_code_its_name() -> None:
    busy = {"error": {"code": "BUSY", "message": "later", "details": {"retry_after_s": 2.5}}}
    with serving(answering("503 Busy", busy)) as port, pytest.raises(errors.Busy) as caught:
        api(port).call("recall", {})
    assert caught.value.retry_after_s == 2.5
    bare = {"error": {"code": "BUSY", "message": "later"}}
    with (
        serving(answering("503 Busy", bare, "Retry-After: 7\r\n")) as port,
        pytest.raises(errors.Busy) as caught,
    ):
        api(port).call("recall", {})
    assert caught.value.retry_after_s == 7.0
    new = {"error": {"code": "TOO_CURIOUS", "message": "no", "details": {"message": 1, "x": 2}}}
    with serving(answering("418 No", new)) as port, pytest.raises(errors.Refused) as refused:
        api(port).call("recall", {})
    assert (refused.value.code, refused.value.details) == ("TOO_CURIOUS", {"x": 2})


# Another JSON service's object looks like a reply; what asks for a field of it tells them apart.
@pytest.mark.parametrize("case", sorted(BAD.keys() - {"wrong service"}))
def test_a_useless_server_is_unavailable_in_time(case: str) -> None:
    with serving(BAD[case]) as port:
        begun = time.monotonic()
        with pytest.raises(errors.Unavailable) as caught:
            api(port).call("index", {"text": "x" * 200_000}, timeout_s=0.5)
        assert time.monotonic() - begun < 5.0
    message = caught.value.message
    assert f"http://127.0.0.1:{port}" in message
    assert "commonplace serve" in message
    assert HTML.decode() not in message
    assert caught.value.details["url"] == f"http://127.0.0.1:{port}"


def test_another_service_is_not_taken_for_a_healthy_server() -> None:
    with serving(BAD["wrong service"]) as port, pytest.raises(errors.Unavailable) as caught:
        api(port).health()
    assert "not commonplace" in caught.value.message


def test_nobody_there_and_nobody_accepting_are_unavailable() -> None:
    with pytest.raises(errors.Unavailable, match="refused"):
        api(closed_port()).call("index", {})
    with black_hole() as port, pytest.raises(errors.Unavailable, match=r"0\.3 s"):
        api(port).call("index", {}, timeout_s=0.3)


def test_a_name_that_does_not_resolve_is_unavailable() -> None:
    client = Api(config.load(url="http://no-such-host.invalid:9322"))
    with pytest.raises(errors.Unavailable, match=r"no-such-host\.invalid"):
        client.call("index", {}, timeout_s=2)


def test_what_is_sent_names_agent_host_and_token() -> None:
    seen: list[bytes] = []
    with serving(answering("200 OK", {"ok": True}), seen) as port:
        api(port, agent="tester", host="laptop", token=TOKEN).call("recall", {"query": "é"})
    head, _, body = seen[0].decode().partition("\r\n\r\n")
    assert head.startswith("POST /api/v1/recall HTTP/1.1\r\nHost: 127.0.0.1:")
    for line in (
        "X-Commonplace-Agent: tester",
        "X-Commonplace-Host: laptop",
        f"Authorization: Bearer {TOKEN}",
        "Content-Type: application/json",
        "Connection: close",
    ):
        assert f"\r\n{line}" in head
    assert json.loads(body) == {"query": "é"}


def test_a_token_file_is_read_for_each_call(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n", encoding="utf-8")
    seen: list[bytes] = []
    with serving(answering("200 OK", {"ok": True}), seen) as port:
        client = api(port, token_file=str(file))
        client.call("recall", {})
        file.write_text("", encoding="utf-8")
        with pytest.raises(errors.Invalid, match="token_file"):
            client.call("recall", {})
        file.unlink()
        with pytest.raises(errors.Invalid, match="token_file"):
            client.call("recall", {})
    assert f"Bearer {TOKEN}".encode() in seen[0]


def test_an_address_in_brackets_is_called(live: Server) -> None:
    client = Api(config.load(url="http://[::1]:1/base/"))
    with pytest.raises(errors.Unavailable) as caught:
        client.call("index", {})
    assert "http://[::1]:1/base:" in caught.value.message
    assert Api(config.load(url=f"http://localhost:{live.port}")).health()["status"]


def test_only_the_configured_proxy_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    dead = f"http://127.0.0.1:{closed_port()}"
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, dead)
    seen: list[bytes] = []
    with serving(answering("200 OK", {"ok": True}), seen) as port:
        assert api(port).call("recall", {}) == {"ok": True}
        through = config.load(
            url="http://memory.example:9322", proxy=f"http://me:p%40ss@127.0.0.1:{port}"
        )
        assert Api(through).call("recall", {}) == {"ok": True}
    assert seen[0].startswith(b"POST /api/v1/recall HTTP/1.1\r\n")
    assert seen[1].startswith(b"POST http://memory.example:9322/api/v1/recall HTTP/1.1\r\n")
    assert b"Proxy-Authorization: Basic bWU6cEBzcw==\r\n" in seen[1]


def test_a_tunnel_is_asked_for_and_its_refusal_told() -> None:
    seen: list[bytes] = []
    with serving(answering("403 Forbidden", {}), seen) as port:
        through = config.load(url="https://memory.example", proxy=f"http://me:pw@127.0.0.1:{port}")
        with pytest.raises(errors.Unavailable, match="tunnel") as caught:
            Api(through).call("recall", {})
    assert seen[0].startswith(b"CONNECT memory.example:443 HTTP/1.1\r\n")
    assert "pw" not in caught.value.message


def test_a_refusal_in_the_middle_of_sending_is_heard() -> None:
    body = b'{"error": {"code": "TOO_LARGE", "message": "too much", "details": {}}}'

    def refuse(peer: socket.socket, _over: threading.Event) -> None:
        peer.recv(100)
        head = f"HTTP/1.1 413 Too Large\r\n{OURS}Content-Length: {len(body)}\r\n\r\n"
        peer.sendall(head.encode() + body)

    with serving(refuse) as port, pytest.raises(errors.TooLarge, match="too much"):
        api(port).call("remember", {"body": "x" * 20_000_000}, timeout_s=5)


def test_a_certificate_is_checked_and_a_good_one_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*pair)
    plain = answering("200 OK", {"ok": True})

    def secure(peer: socket.socket, over: threading.Event) -> None:
        with context.wrap_socket(peer, server_side=True) as inside:
            plain(inside, over)

    with serving(secure) as port:
        client = Api(config.load(url=f"https://localhost:{port}"))
        with pytest.raises(errors.Unavailable, match="CERTIFICATE_VERIFY_FAILED"):
            client.call("recall", {}, timeout_s=5)
        monkeypatch.setenv("SSL_CERT_FILE", str(pair[0]))
        assert client.call("recall", {}, timeout_s=5) == {"ok": True}


def certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for localhost that signs itself."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl to make a certificate with")
    pair = folder / "cert.pem", folder / "key.pem"
    words = [
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    files = ("-out", pair[0], "-keyout", pair[1])
    subprocess.run([openssl, *words, *names, *files], check=True, capture_output=True)
    return pair


def test_arguments_json_has_no_form_for_are_refused_before_sending() -> None:
    client = api(closed_port())
    for value in ({1}, float("nan"), "\ud800"):
        with pytest.raises(errors.Invalid, match="JSON"):
            client.call("recall", {"query": value})
