"""Two machines, one memory, the command as a person types it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from support.hosts import Host

pytestmark = pytest.mark.e2e


def remember(host: Host, name: str, description: str, body: str, scope: str = "global") -> None:
    host.run("remember", name, description, "--scope", scope, "--type", "reference", stdin=body)


def history(host: Host, name: str) -> list[dict[str, object]]:
    return json.loads(host.run("history", name, "--scope", "global", "--json").stdout)["versions"]


def test_what_one_host_remembers_the_other_recalls(host_a: Host, host_b: Host) -> None:
    remember(host_a, "build-cache", "The build cache lives on the big disk", "It is /mnt/big/cache")
    found = host_b.run("recall", "where does the build cache live").stdout
    assert "build-cache" in found
    assert "The build cache lives on the big disk" in found


def test_an_update_on_the_other_host_leaves_both_authors_in_the_history(
    host_a: Host, host_b: Host
) -> None:
    remember(host_a, "deploy-day", "We deploy on Tuesdays", "Tuesday, ten o'clock")
    host_b.run("update", "deploy-day", "--scope", "global", "--description", "We deploy on Fridays")
    shown = host_a.run("history", "deploy-day", "--scope", "global").stdout
    assert "@host-a" in shown
    assert "@host-b" in shown
    versions = history(host_a, "deploy-day")
    assert [row["version"] for row in versions] == [1, 2]
    assert [row["body"] for row in versions] == ["Tuesday, ten o'clock"] * 2
    assert [str(row["author"]).split("@")[1] for row in versions] == ["host-a", "host-b"]


def test_what_one_host_forgets_is_gone_on_the_other_and_comes_back_when_restored(
    host_a: Host, host_b: Host
) -> None:
    remember(host_a, "old-proxy", "The proxy is squid on port 3128", "gone since spring")
    host_b.run("forget", "old-proxy", "--scope", "global")
    assert "old-proxy" not in host_a.run("recall", "squid proxy port").stdout
    refused = host_a.run("get", "old-proxy", "--scope", "global", exit_code=1)
    assert "NOT_FOUND" in refused.stderr
    assert refused.stdout == ""
    host_a.run("restore", "old-proxy", "--scope", "global")
    assert "gone since spring" in host_b.run("get", "old-proxy", "--scope", "global").stdout


def test_a_save_over_a_newer_version_is_refused_and_shows_the_newer_one(
    host_a: Host, host_b: Host
) -> None:
    remember(host_a, "port", "The service listens on 8080", "8080")
    host_b.run("update", "port", "--scope", "global", "--description", "It listens on 9090")
    refused = host_a.run(
        "update", "port", "--scope", "global", "--description", "It listens on 7070",
        "--expected-version", "1", exit_code=1,
    )  # fmt: skip
    assert "VERSION_CONFLICT" in refused.stderr
    assert "version 2" in refused.stderr
    assert "It listens on 9090" in host_a.run("get", "port", "--scope", "global").stdout


def test_a_host_scope_is_seen_by_that_hosts_index_alone(host_a: Host, host_b: Host) -> None:
    remember(host_a, "gpu", "This box has two GPUs", "of one kind", scope="host:host-a")
    assert "gpu" in host_a.run("index").stdout
    assert "gpu" not in host_b.run("index").stdout


def test_without_a_server_a_command_ends_with_exit_3(host_a: Host) -> None:
    host_a.env["COMMONPLACE_URL"] = "http://127.0.0.1:1"
    refused = host_a.run("recall", "anything", exit_code=3)
    assert refused.stdout == ""
    assert "127.0.0.1:1" in refused.stderr
