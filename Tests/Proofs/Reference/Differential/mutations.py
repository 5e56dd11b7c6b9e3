"""Mutations: each makes one change to a request that may make it invalid."""

from __future__ import annotations

import re
from random import Random
from typing import Any, Callable

from graphql import GraphQLSchema


def mutate(request: dict[str, Any], schema: GraphQLSchema, random: Random) -> str:
    """Makes one change and returns its name."""
    for mutation in random.sample(MUTATIONS, len(MUTATIONS)):
        before = request["document"], dict(request.get("variables", {}))
        mutation(request, schema, random)
        if (request["document"], request.get("variables", {})) != before:
            return mutation.__name__
    return "none"


def _replace(
    request: dict[str, Any], random: Random, pattern: str, make: Callable[[Any], str]
) -> None:
    """Replaces one of the places that match, chosen at random."""
    matches = list(re.finditer(pattern, request["document"]))
    if matches:
        match = random.choice(matches)
        text = request["document"]
        request["document"] = text[: match.start()] + make(match) + text[match.end() :]


def unknown_field(request, schema, random):
    _replace(request, random, r"(?<=[{ ])([a-z]\w+)(?= [}@a-z])", lambda m: m[0] + "X")


def unknown_argument(request, schema, random):
    _replace(request, random, r"\((\w+): ", lambda m: f"({m[1]}X: ")


def second_argument(request, schema, random):
    _replace(request, random, r"\((\w+): ([\w\"]+)\)", lambda m: f"({m[1]}: {m[2]}, {m[1]}: {m[2]})")


def wrong_literal(request, schema, random):
    wrong = random.choice(["[[1]]", "{ no: 1 }", "WRONG", "3.5", '"text"', "99999999999", "null"])
    _replace(request, random, r"(?<=: )(-?\d+|true|false|\"[^\"]*\")(?=[,)])", lambda m: wrong)


def dropped_character(request, schema, random):
    at = random.randrange(len(request["document"]))
    request["document"] = request["document"][:at] + request["document"][at + 1 :]


def doubled_character(request, schema, random):
    at = random.randrange(len(request["document"]))
    text = request["document"]
    request["document"] = text[:at] + text[at] + text[at:]


def unknown_fragment(request, schema, random):
    _replace(request, random, r"\.\.\.F\d+", lambda m: m[0] + "9")


def unused_fragment(request, schema, random):
    request["document"] += "\nfragment Unused on Shop { id }"


def fragment_cycle(request, schema, random):
    _replace(request, random, r"fragment (F\d+) on (\w+) \{", lambda m: m[0] + f" ...{m[1]}")


def wrong_condition(request, schema, random):
    other = random.choice(["Shop", "Money", "Int", "Nothing", "Node", "CartInput", "SearchResult"])
    _replace(request, random, r"on [A-Z]\w+", lambda m: f"on {other}")


def unused_variable(request, schema, random):
    _replace(request, random, r" Generated\(", lambda m: m[0] + "$unused: Int, ")


def undefined_variable(request, schema, random):
    _replace(request, random, r"\$v\d+(?=[,)])", lambda m: "$nothing")


def other_variable_type(request, schema, random):
    other = random.choice(["Int", "[String!]!", "Shop", "Nothing", "ID!", "CartInput", "Boolean"])
    _replace(request, random, r"(\$v\d+): [\w!\[\]]+", lambda m: f"{m[1]}: {other}")


def nullable_variable(request, schema, random):
    # graphql-core 3.2 does not always refuse one in a OneOf input object (section 5.8.5).
    if not re.search(r"by: \{\w+: \$", request["document"]):
        _replace(request, random, r"(\$v\d+: [\w\[\]!]+)!", lambda m: m[1])


def list_variable(request, schema, random):
    _replace(request, random, r"(\$v\d+): (\w+)", lambda m: f"{m[1]}: [{m[2]}]")


def leaf_with_selection(request, schema, random):
    _replace(request, random, r"__typename|(?<= )id(?= )", lambda m: m[0] + " { id }")


def composite_without_selection(request, schema, random):
    _replace(request, random, r" \{ [^{}]* \}", lambda m: "")


def unknown_directive(request, schema, random):
    directive = random.choice(["@nothing", "@skip", "@deprecated", "@trace", "@skip(if: 1)"])
    _replace(request, random, r"__typename", lambda m: f"{m[0]} {directive}")


def known_directive(request, schema, random):
    directive = random.choice(
        [
            '@trace(label: "a") @trace(label: "b")',
            "@skip(if: false) @skip(if: false)",
            "@skip(if: true)",
        ]
    )
    _replace(request, random, r" \{ ", lambda m: f" {directive}{m[0]}")


def conflict(request, schema, random):
    matches = re.findall(r"[abc]\d+(?=: )", request["document"])
    if len(matches) > 1:
        first, second = random.sample(matches, 2)
        _replace(request, random, first + ": ", lambda m: second + ": ")


def second_operation(request, schema, random):
    request["document"] += random.choice(
        ["\nquery Generated { __typename }", "\n{ __typename }", "\nquery Third { __typename }"]
    )


def type_definition(request, schema, random):
    request["document"] += "\ntype Extra { a: Int }"


def variable_value(request, schema, random):
    values = request.get("variables")
    if values:
        name = random.choice(list(values))
        values[name] = random.choice(
            [None, 1, 1.5, "x", True, [], [None], [[1]], {}, {"id": None}, {"id": "a", "sku": "b"},
             2147483648, {"no": 1}, "EUR", ["EUR", 1]]
        )


def missing_variable_value(request, schema, random):
    values = request.get("variables")
    if values:
        del values[random.choice(list(values))]


def second_one_of_field(request, schema, random):
    _replace(request, random, r"by: \{", lambda m: m[0] + ' handle: "x", ')


def null_one_of_field(request, schema, random):
    _replace(request, random, r"by: \{ ?(\w+): [^}]*\}", lambda m: f"by: {{ {m[1]}: null }}")


def unknown_input_field(request, schema, random):
    _replace(request, random, r"(?<=: )\{(?=\w+: |\})", lambda m: "{ nothing: 1, ")


def second_input_field(request, schema, random):
    _replace(request, random, r"\{(\w+): (\w+|\"[^\"]*\")(?=[,}])", lambda m: f"{m[0]}, {m[1]}: {m[2]}")


def unquoted_string(request, schema, random):
    _replace(request, random, r"\"(\w+)\"", lambda m: m[1])


def quoted_enum(request, schema, random):
    _replace(request, random, r"(?<=: )([A-Z_]{2,})(?=[,)}\]])", lambda m: f'"{m[1]}"')


def two_subscription_fields(request, schema, random):
    if request["document"].startswith("subscription"):
        _replace(request, random, r" \{ ", lambda m: m[0] + "__typename ")


def other_operation_name(request, schema, random):
    request["operationName"] = "Nothing"
    request["document"] += " "


def meta_field(request, schema, random):
    name = random.choice(["__schema { description }", "__type { name }", "__nothing"])
    _replace(request, random, r" \{ (?=\w)", lambda m: m[0] + name + " ")


MUTATIONS = [
    value for value in list(globals().values())
    if callable(value) and getattr(value, "__code__", None)
    and value.__code__.co_varnames[:3] == ("request", "schema", "random")
    and value.__name__ not in ("mutate", "_replace")
]
