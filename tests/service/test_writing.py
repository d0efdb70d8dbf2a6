"""Rules of writing, through the one way in that every wire uses."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from commonplace.domain.memory import TYPES
from commonplace.domain.text import one_line
from commonplace.errors import VersionConflict

BAD_NAMES = {
    "empty": "",
    "blank": " ",
    "NUL": "a\x00b",
    "lone surrogate": "a\ud800b",
    "newline": "a\nb",
    "path": "../etc/passwd",
    "bidi": "a\u202eb",
    "zero width": "a\u200bb",
    "tag": "a\U000e0041b",
    "too long": "a" * 101,
    "blanks within": "a b",
}
BAD_SCOPES = {
    "misspelled": "projct:x",
    "project without key": "project:",
    "host of blanks": "host: ",
    "300 characters": "project:" + "a" * 300,
    "climbing": "project:../x",
    "empty": "",
    "surrogate": "project:\ud800",
    "newline": "host:a\nb",
}
BAD_DESCRIPTIONS = {
    "empty": "",
    "blank": "  ",
    "NUL": "a\x00b",
    "lone surrogate": "a\ud800b",
    "newline": "a\nb",
    "line separator": "a\u2028b",
}


def test_remember_tells_what_it_stored_and_who_wrote_it(service: Any) -> None:
    reply = service.save("test-db-port", body="why")
    assert (reply.action, reply.version, reply.author) == ("created", 1, "test-agent@host-a")


@pytest.mark.parametrize("name", BAD_NAMES.values(), ids=BAD_NAMES.keys())
def test_a_bad_name_is_refused(service: Any, name: str) -> None:
    error = service.refused("remember", scope="global", name=name, description="d")
    assert error.code == "INVALID"
    assert "name" in error.message
    assert one_line(error.message) == error.message


@pytest.mark.parametrize("scope", BAD_SCOPES.values(), ids=BAD_SCOPES.keys())
def test_a_bad_scope_is_refused_with_the_forms_there_are(service: Any, scope: str) -> None:
    error = service.refused("remember", scope=scope, name="n", description="d")
    assert error.code == "UNKNOWN_SCOPE_FORM"
    assert "global, host:<name> or project:<host/owner/repo>" in error.message


def test_a_write_without_scope_is_refused_with_the_forms_there_are(service: Any) -> None:
    error = service.refused("remember", name="n", description="d")
    assert error.code == "INVALID"
    assert "global, host:<name> or project:<host/owner/repo>" in error.message


@pytest.mark.parametrize("text", BAD_DESCRIPTIONS.values(), ids=BAD_DESCRIPTIONS.keys())
def test_a_bad_description_is_refused(service: Any, text: str) -> None:
    error = service.refused("remember", scope="global", name="n", description=text)
    assert error.code == "INVALID"
    assert "description" in error.message


def test_an_unknown_type_is_refused_naming_the_four(service: Any) -> None:
    error = service.refused("remember", scope="global", name="n", description="d", type="fact")
    assert error.code == "INVALID"
    assert all(kind in error.message for kind in TYPES)


def test_a_body_of_a_mebibyte_is_refused_whole_naming_the_limit(service: Any) -> None:
    error = service.refused("remember", scope="global", name="n", description="d", body="x" * 2**20)
    assert error.code == "TOO_LARGE"
    assert "16384" in error.message
    assert service.refused("get", name="n").code == "NOT_FOUND"


@pytest.mark.parametrize("body", ["a\x00b", "a\ud800b"], ids=["NUL", "lone surrogate"])
def test_a_body_no_engine_can_hold_is_refused(service: Any, body: str) -> None:
    error = service.refused("remember", scope="global", name="n", description="d", body=body)
    assert error.code == "INVALID"


def test_a_body_is_kept_byte_exact(service: Any) -> None:
    body = "\ufeff  tabs\t\r\n\r\ncafe\u0301 \u202e \U0001f9e0\n\n"
    service.save("n", body=body)
    assert service("get", name="n").body == body


def test_update_keeps_what_is_left_out(service: Any) -> None:
    links = [{"type": "related-to", "name": "other"}]
    service.save("n", body="b", type="feedback", pinned=True, links=links, expires="2027-01-31")
    service("update", name="n", description="new")
    got = service("get", name="n")
    assert (got.description, got.body, got.type, got.pinned) == ("new", "b", "feedback", True)
    assert got.expires_at == "2027-01-31T23:59:59.999999Z"
    assert [link.name for link in got.links] == ["other"]


def test_update_of_nothing_is_refused(service: Any) -> None:
    service.save("n")
    assert "nothing to update" in service.refused("update", name="n").message


def test_update_of_what_is_not_there_offers_the_nearest_names(service: Any) -> None:
    service.save("test-db-port")
    for scope in ("global", None):
        error = service.refused("update", name="test-db-prt", scope=scope, body="x")
        assert error.code == "NOT_FOUND"
        assert error.details["nearest"] == ["test-db-port"]


def test_a_conflict_carries_the_current_version_and_body(service: Any) -> None:
    service.save("n", body="one")
    service("update", name="n", body="two")
    error = service.refused("update", name="n", body="three", expected_version=1)
    assert error.code == "VERSION_CONFLICT"
    assert error.details["current"]["version"] == 2
    assert error.details["current"]["body"] == "two"


def test_eight_clients_updating_one_memory_lose_no_acknowledged_write(service: Any) -> None:
    service.save("n", body="start")

    def client(number: int) -> list[int]:
        done: list[int] = []
        while len(done) < 20:
            seen = service("get", name="n").version if number % 2 else None
            try:
                reply = service(
                    "update", name="n", body=f"{number}-{len(done)}", expected_version=seen
                )
            except VersionConflict:
                continue
            done.append(reply.version)
        return done

    with ThreadPoolExecutor(8) as pool:
        versions = [version for done in pool.map(client, range(8)) for version in done]
    assert sorted(versions) == list(range(2, 162))
    history = service("history", name="n").versions
    assert [item.version for item in history] == list(range(1, 162))
    assert len({item.body for item in history}) == 161
    assert service("list").total == 1


def test_a_request_id_sent_again_repeats_the_answer_not_the_write(service: Any) -> None:
    first = service.save("n", request_id="r1")
    again = service.save("n", request_id="r1")
    assert (again.version, again.id, again.replayed) == (first.version, first.id, True)
    assert service("get", name="n").versions == 1


def test_the_same_name_in_two_scopes_needs_a_scope(service: Any) -> None:
    service.save("n", "global")
    service.save("n", "host:host-a")
    for operation, more in (("get", {}), ("update", {"body": "x"}), ("forget", {})):
        error = service.refused(operation, name="n", **more)
        assert error.code == "AMBIGUOUS"
        assert error.details["scopes"] == ["global", "host:host-a"]
    assert service("get", name="n", scope="host:HOST-A").scope == "host:host-a"


def test_what_was_forgotten_is_gone_until_restored(service: Any) -> None:
    service.save("n", body="b")
    assert service("forget", name="n").action == "forgotten"
    error = service.refused("get", name="n")
    assert error.code == "NOT_FOUND"
    assert "restore" in error.message
    assert service("recall", query="about n").matches == ()
    assert service("get", name="n", scope="global", version=1).deleted_at is not None
    assert service("restore", name="n").version == 2
    assert service("get", name="n").body == "b"


def test_restore_goes_back_to_an_older_text(service: Any) -> None:
    service.save("n", body="one")
    service("update", name="n", body="two")
    service("restore", name="n", version=1)
    assert service("get", name="n").body == "one"
    assert "1 to 3" in service.refused("restore", name="n", version=9).message


def test_rename_moves_history_along_and_the_old_name_says_so(service: Any) -> None:
    service.save("old")
    reply = service("rename", name="old", to_name="new", to_scope="project:github.com/a/b")
    assert (reply.scope, reply.name, reply.version) == ("project:github.com/a/b", "new", 2)
    for scope in ("global", None):
        error = service.refused("get", name="old", scope=scope)
        assert "renamed to project:github.com/a/b new" in error.message


def test_arguments_sent_as_strings_are_read_as_what_they_mean(service: Any) -> None:
    service.save("n", pinned="true", links='[{"type": "builds-on", "name": "m"}]')
    got = service("get", name="n", version="1")
    assert got.pinned
    assert got.links[0].type == "builds-on"
    assert service("recall", query="about", limit="5", scopes='["global"]').matches[0].name == "n"


def test_an_unknown_link_type_is_refused(service: Any) -> None:
    error = service.refused(
        "remember", scope="global", name="n", description="d", links=[{"type": "is", "name": "m"}]
    )
    assert "related-to" in error.message


def test_what_expires_leaves_index_and_recall_but_not_get(service: Any) -> None:
    service.save("n", expires="2026-12-05")
    service.clock.move(days=4)
    assert service("list").total == 1
    service.clock.move(days=1)
    assert service("list").total == 0
    assert service("recall", query="about").matches == ()
    assert service("recall", query="about", include_expired=True).matches[0].expired
    assert service("get", name="n").expired
    service("update", name="n", expires="never")
    assert service("list").total == 1


def test_an_expiry_in_the_past_is_stored_with_a_warning(service: Any) -> None:
    assert "lies in the past" in service.save("n", expires="2020-01-01").warnings[0]


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("2027-01-31", "2027-01-31T23:59:59.999999Z"),
        ("2027-01-31T12:00:00Z", "2027-01-31T12:00:00.000000Z"),
        ("2027-01-31T12:00:00+02:00", "2027-01-31T10:00:00.000000Z"),
    ],
)
def test_an_expiry_is_stored_in_utc(service: Any, said: str, stored: str) -> None:
    service.save("n", expires=said)
    assert service("get", name="n").expires_at == stored


@pytest.mark.parametrize("said", ["tomorrow", "2027-02-30", "2027-01-31T12:00:00", "31.1.2027"])
def test_an_unclear_expiry_is_refused(service: Any, said: str) -> None:
    error = service.refused("remember", scope="global", name="n", description="d", expires=said)
    assert error.code == "INVALID"
    assert "2027-01-31" in error.message


def test_the_agent_of_a_call_goes_before_what_the_wire_learned(service: Any) -> None:
    assert service.save("n", agent="pi\n\x1b[31m@evil").author == "pi--evil@host-a"


def test_an_alias_is_a_dry_run_until_told_otherwise(service: Any) -> None:
    service.save("n", "project:github.com/a/old")
    pair = {"old": "project:github.com/a/old", "new": "project:github.com/a/new"}
    assert not service("alias_scope", **pair).applied
    assert service("get", name="n").scope == "project:github.com/a/old"
    assert service("alias_scope", **pair, dry_run=False).applied
    assert service("get", name="n", scope="project:github.com/a/old").scope == pair["new"]


def test_an_unknown_argument_is_named(service: Any) -> None:
    error = service.refused("get", name="n", scpe="global")
    assert "'scpe'" in error.message


def test_a_fault_of_ours_is_one_stable_code_and_no_traceback(
    service: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> bytes:
        raise ZeroDivisionError("secret detail")

    service.context = dataclasses.replace(service.context, entropy=broken)
    error = service.refused("remember", scope="global", name="n", description="d")
    assert error.code == "INTERNAL"
    assert "secret detail" not in error.message
    assert "secret detail" in caplog.text


def test_a_closed_store_is_unavailable(service: Any) -> None:
    service.context.store.close()
    assert service.refused("get", name="n").code == "UNAVAILABLE"
