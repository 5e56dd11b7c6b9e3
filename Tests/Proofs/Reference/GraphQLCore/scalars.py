"""The formats of custom scalars: which input values they accept, and which values a mock gives.

A schema names its scalars but cannot describe their format, so graphql-core accepts any value.
With this table it refuses, for instance, an invalid date. A scalar that is not listed accepts
everything, and its mock value is a string.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any, Callable, NamedTuple

from graphql import GraphQLScalarType, GraphQLSchema, is_specified_scalar_type


class Format(NamedTuple):
    accepts: Callable[[Any], bool]
    samples: list[Any]
    """The values from which a mock chooses, including extreme ones."""


def _matches(pattern: str) -> Callable[[Any], bool]:
    whole = re.compile(pattern)
    return lambda value: isinstance(value, str) and whole.fullmatch(value) is not None


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return _is_integer(value) or isinstance(value, float)


def _is_date(value: Any) -> bool:
    if not _matches(r"\d{4}-\d\d-\d\d")(value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


_moment = re.compile(
    r"(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:)(\d\d)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)", re.ASCII
)


def _is_date_time(value: Any) -> bool:
    match = _moment.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return False
    second = match[2]
    if second == "60":  # a leap second, which the standard library does not know
        second = "59"
    try:
        datetime.fromisoformat((match[1] + second).upper())
    except ValueError:
        return False
    return True


_decimal_text = _matches(r"[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_integer_text = _matches(r"-?(0|[1-9][0-9]*)")
_unsigned_text = _matches(r"0|[1-9][0-9]*")
_address = _matches(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"\\^`{|}]+")

_date_time = Format(
    _is_date_time,
    [
        "2025-09-01T12:30:00Z",
        "1970-01-01T00:00:00Z",
        "2024-02-29T23:59:59.999Z",
        "1969-12-31T23:59:59-08:00",
        "2038-01-19T03:14:08.000001+05:30",
    ],
)
_url = Format(
    _address,
    [
        "https://shop.example/",
        "https://shop.example/a%20b/c?d=e&f=%22#g",
        "http://127.0.0.1:8080/images/1.png?width=1024",
        "https://xn--bcher-kva.example/%F0%9F%9B%92",
    ],
)

FORMATS: dict[str, Format] = {
    "BigInt": Format(
        lambda value: _is_integer(value) or _integer_text(value),
        ["0", "-1", "9007199254740993", "-9223372036854775808", "18446744073709551616"],
    ),
    "Date": Format(_is_date, ["2025-09-01", "1970-01-01", "2024-02-29"]),
    "DateTime": _date_time,
    "Decimal": Format(
        lambda value: _is_number(value) or _decimal_text(value),
        ["0.00", "19.90", "-0.01", "12345678901234567890.123456789"],
    ),
    "HTML": Format(
        lambda value: isinstance(value, str),
        ["<p>A &amp; B</p>", '<a href="/a?b=c&amp;d">caf\u00e9</a>\n', "<br/>", ""],
    ),
    "ISO8601DateTime": _date_time,
    "JSON": Format(
        lambda value: True,
        [
            {"a key": [1, -2.5, True, None, {"": "\u2028"}], "\U0001f6d2": {}},
            [],
            "text",
            0,
            False,
            {"nested": [[[]], [{}]]},
        ],
    ),
    "UnsignedInt64": Format(_unsigned_text, ["0", "50", "18446744073709551615"]),
    "URI": _url,
    "URL": _url,
}


def install_formats(schema: GraphQLSchema) -> None:
    """Changes the custom scalars of a schema so that they refuse input of a wrong format."""
    for scalar in schema.type_map.values():
        if isinstance(scalar, GraphQLScalarType) and not is_specified_scalar_type(scalar):
            if scalar.name in FORMATS:
                scalar.parse_value = _parser(scalar.name, FORMATS[scalar.name])


def _parser(name: str, format: Format) -> Callable[[Any], Any]:
    def parse(value: Any) -> Any:
        if not format.accepts(value):
            raise ValueError(f"{name} cannot represent {value!r}.")
        return value

    return parse
