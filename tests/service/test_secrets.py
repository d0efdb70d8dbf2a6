from __future__ import annotations

import dataclasses
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from support.credentials import MUST_CATCH, MUST_SURVIVE, noise

from commonplace.errors import CommonplaceError, SecretFound
from commonplace.service.operations import OPERATIONS

TOKEN = "ghp_" + noise("service", 36)


def with_policy(service: Any, policy: str) -> None:
    settings = dataclasses.replace(service.context.settings, secrets=policy)
    service.context = dataclasses.replace(service.context, settings=settings)


def assert_untold(error: CommonplaceError, secret: str) -> None:
    told = f"{error} {error.message} {json.dumps(error.details)}"
    assert secret not in told
    assert secret[4:20] not in told


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", TOKEN),
        ("description", f"the key is {TOKEN}"),
        ("body", f"a\n\n{TOKEN}\n"),
        ("agent", TOKEN),
        ("type", TOKEN),
        ("expires", TOKEN),
        ("scope", f"project:github.com/acme/{TOKEN}"),
        ("request_id", TOKEN),
        ("links", [{"type": "related-to", "name": TOKEN}]),
        ("links", json.dumps([{"type": TOKEN, "name": "a"}])),
        ("pinned", TOKEN),
        (TOKEN, "an argument of that name"),
    ],
)
def test_remember_refuses_a_secret_anywhere_and_repeats_nothing_of_it(
    service: Any, caplog: pytest.LogCaptureFixture, field: str, value: object
) -> None:
    caplog.set_level(logging.DEBUG)
    good = {"scope": "global", "name": "a", "description": "b"}
    error = service.refused("remember", **{**good, field: value})
    assert isinstance(error, SecretFound)
    assert error.code == "SECRET"
    assert "github-token" in error.message
    assert_untold(error, TOKEN)
    assert TOKEN not in caplog.text
    assert service("list").total == 0


def test_update_rename_and_forget_refuse_a_secret_too(service: Any) -> None:
    service.save("a")
    for operation, arguments in {
        "update": {"name": "a", "body": TOKEN},
        "rename": {"name": "a", "to_name": TOKEN},
        "forget": {"name": TOKEN},
        "restore": {"name": TOKEN},
        "alias_scope": {"old": f"host:{TOKEN}", "new": "host:b"},
    }.items():
        error = service.refused(operation, **arguments)
        assert error.code == "SECRET", operation
        assert_untold(error, TOKEN)
    assert service("get", name="a").version == 1


def test_every_operation_that_writes_is_guarded(service: Any) -> None:
    writing = [operation for operation in OPERATIONS.values() if not operation.read_only]
    assert len(writing) >= 6
    for operation in writing:
        assert service.refused(operation.name, name=TOKEN).code == "SECRET", operation.name


def test_restoring_a_version_with_a_secret_is_refused(service: Any) -> None:
    with_policy(service, "allow")
    service.save("a", body=f"token {TOKEN}")
    service("update", name="a", body="clean")
    with_policy(service, "refuse")
    error = service.refused("restore", name="a", version=1)
    assert error.code == "SECRET"
    assert_untold(error, TOKEN)
    assert service("get", name="a").body == "clean"


def test_the_redact_policy_stores_the_rule_in_place_of_the_value(
    service: Any, tmp_path: Path
) -> None:
    with_policy(service, "redact")
    service.save("a", description=f"key {TOKEN}", body=f"x {TOKEN} y")
    found = service("get", name="a")
    assert found.description == "key [redacted:github-token]"
    assert found.body == "x [redacted:github-token] y"
    assert service.refused("remember", scope="global", name=TOKEN, description="b").code == "SECRET"
    service.context.store.close()
    assert not any(TOKEN.encode() in file.read_bytes() for file in tmp_path.glob("store.db*"))


def test_the_allow_policy_stores_what_is_given(service: Any) -> None:
    with_policy(service, "allow")
    service.save("a", body=TOKEN)
    assert service("get", name="a").body == TOKEN


@pytest.mark.parametrize("name", MUST_CATCH)
def test_what_must_be_caught_is_not_stored(service: Any, name: str) -> None:
    text, secret = MUST_CATCH[name]
    error = service.refused("remember", scope="global", name="a", description="b", body=text)
    assert error.code == "SECRET"
    assert len(secret) < 8 or secret not in error.message


def test_what_must_survive_is_stored_as_it_is(service: Any) -> None:
    for number, text in enumerate(MUST_SURVIVE):
        service.save(f"n{number}", body=text)
        assert service("get", name=f"n{number}").body == text
