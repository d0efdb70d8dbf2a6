"""No arguments, however odd, find a fault in an operation."""

from __future__ import annotations

import dataclasses
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonplace.errors import CommonplaceError
from commonplace.service.operations import OPERATIONS, Operation

WORDS = st.sampled_from(
    ["", "n", "global", "project:a/b", "host:h", "never", "2027-01-31", "supersedes", "1", "true"]
)
ODD = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**30, -(2**63), 1e308, float("nan"), float("inf")])
    | st.text(max_size=20)
    | st.sampled_from(["\ud800", "\x00", "\u202e", "[", "{}", '["a"]'])
    | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "name", "scope", "x"]), inner, max_size=3)
    ),
    max_leaves=5,
)


def arguments(operation: Operation) -> st.SearchStrategy[dict[str, Any]]:
    fields = [field.name for field in dataclasses.fields(operation.request)]
    known = st.fixed_dictionaries({}, optional=dict.fromkeys(fields, WORDS | ODD))
    return known | st.dictionaries(st.text(max_size=5), ODD, max_size=2)


CALLS = st.sampled_from(list(OPERATIONS.values())).flatmap(
    lambda operation: st.tuples(st.just(operation.name), arguments(operation))
)


@given(CALLS)
@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_an_operation_answers_or_refuses_whatever_it_is_given(
    service: Any, call: tuple[str, dict[str, Any]]
) -> None:
    name, given_arguments = call
    refusal: CommonplaceError | None = None
    try:
        service(name, **given_arguments)
    except CommonplaceError as error:
        refusal = error
    if refusal is not None:
        assert refusal.code not in {"INTERNAL", "UNAVAILABLE", "BUSY"}, refusal.__cause__
        assert refusal.message
