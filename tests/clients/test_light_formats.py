"""The small readers agree with the standard library's wherever they answer at all."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from commonplace.clients import flat_toml, light_json

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


@given(VALUES.filter(lambda value: "inf" not in repr(value)))
def test_json_written_is_what_the_standard_library_reads(value: object) -> None:
    assert json.loads(light_json.dumps(value)) == value
    assert light_json.loads(f" \n{json.dumps(value)}\t") == value


@given(st.text(alphabet='{}[]",:\\ntrue0 1e-\u00e9', max_size=20))
@example("")
@example("[1] 2")
@example("NaN")
@example("[" * 100_000)
def test_json_the_standard_library_refuses_is_refused(text: str) -> None:
    try:
        expected = json.loads(text, parse_constant=lambda _: 1 / 0)
    except (ValueError, RecursionError, ZeroDivisionError):
        with pytest.raises(ValueError):  # noqa: PT011 - the message says nothing on purpose
            light_json.loads(text)
    else:
        assert light_json.loads(text) == expected


def test_values_without_a_json_form_are_refused() -> None:
    for value in (float("nan"), float("inf"), float("-inf")):
        with pytest.raises(ValueError, match="JSON has no"):
            light_json.dumps(value)
    with pytest.raises(TypeError, match="set"):
        light_json.dumps([{1}])


def test_only_an_object_in_utf8_is_an_object() -> None:
    assert light_json.loads_object(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}
    for raw in (b"", b"[]", b"1", b"{", b'{"a": "\xff"}'):
        assert light_json.loads_object(raw) is None


KEYS = st.text(alphabet="ab_-0. '\"", min_size=1, max_size=4)
TEXTS = st.text(alphabet="ab#=\"'\\\t é\x7f\x00[", max_size=8)
LINES = st.builds(
    "{}{}{}{}{}".format,
    KEYS,
    st.sampled_from(["=", " = ", "\t=\t", ""]),
    st.sampled_from(["'", '"', "", "'''"]),
    TEXTS,
    st.sampled_from(["'", '"', "' # x", '" x', ""]),
) | st.sampled_from(["", "# é", "[t]", "a = 1", "a = 01", "b = true", "c = 1.5", "d = [1]", "\r"])


@given(st.lists(LINES, max_size=5).map("\n".join))
@example("a = 'x'\r\nb = 2\r\n")
@example("a = 1\na = 2")
@example('a = """x"""')
def test_toml_is_read_as_the_standard_library_reads_it(text: str) -> None:
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(ValueError, match="not valid TOML"):
            flat_toml.loads(text)
    else:
        assert flat_toml.loads(text) == expected
