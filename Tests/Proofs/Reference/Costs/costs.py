#!/usr/bin/env python3
"""Compares the estimated costs of random requests with those of a second implementation.

    costs.py --schema FILE --estimator PROGRAM [--count N] [--seed N]

The second implementation walks a document as an executor does: for each type that an object may have, it collects
the fields that these variables select. The program makes a plan of the document and evaluates that.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterator

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLInputObjectType,
    GraphQLObjectType,
    GraphQLSchema,
    IntValueNode,
    ListValueNode,
    NullValueNode,
    ObjectValueNode,
    OperationDefinitionNode,
    VariableNode,
    build_schema,
    get_named_type,
    get_nullable_type,
    is_abstract_type,
    is_composite_type,
    is_list_type,
    parse,
    value_from_ast_untyped,
)

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Differential"))
from generate import Generator  # noqa: E402

LIMIT = 1e12
RULES = ["shopify", "gitHub", "fieldCost", "typeCost"]


class Judge:
    """The costs of one request."""

    def __init__(
        self, schema: GraphQLSchema, text: str, variables: dict[str, Any], rule: str
    ) -> None:
        self.schema = schema
        self.rule = rule
        document = parse(text, no_location=True)
        self.fragments = {
            each.name.value: each
            for each in document.definitions
            if isinstance(each, FragmentDefinitionNode)
        }
        self.operation = next(
            each for each in document.definitions if isinstance(each, OperationDefinitionNode)
        )
        self.values = {
            each.variable.name.value: value_from_ast_untyped(each.default_value)
            for each in self.operation.variable_definitions
            if each.default_value
        } | variables

    def cost(self) -> float:
        kind = self.operation.operation
        root = self.schema.get_root_type(kind)
        cost = self.selected([self.operation.selection_set], root, kind.value, None)
        return float(max(math.floor(cost / 100 + 0.5), 1)) if self.rule == "gitHub" else cost

    # Selection sets

    def selected(self, sets: list[Any], type: Any, root: str | None, page: float | None) -> float:
        """The cost of one object."""
        if self.rule == "gitHub":
            return self.object(sets, type, root, page)
        types = self.schema.get_possible_types(type) if is_abstract_type(type) else [type]
        return max(self.object(sets, each, root, page) for each in types)

    def object(self, sets: list[Any], type: Any, root: str | None, page: float | None) -> float:
        fields: dict[Any, list[FieldNode]] = {}
        for selection_set in sets:
            for parent, node in self.fields(selection_set, type):
                name = (node.alias or node.name).value
                fields.setdefault((name, parent.name), []).append(node)
        cost = 1.0 if self.rule == "typeCost" else 0.0
        if self.rule == "shopify" and root is None:
            cost = 1.0
        for (_, parent), nodes in fields.items():
            cost += self.field(nodes, self.schema.type_map[parent], root, page)
        return min(cost, LIMIT)

    def fields(self, selection_set: Any, type: Any) -> Iterator[tuple[Any, FieldNode]]:
        for node in selection_set.selections:
            if not self.included(node):
                continue
            if isinstance(node, FieldNode):
                yield type, node
                continue
            if isinstance(node, FragmentSpreadNode):
                node = self.fragments[node.name.value]
            condition = type
            if node.type_condition:
                condition = self.schema.type_map[node.type_condition.name.value]
            if self.rule == "gitHub":
                yield from self.fields(node.selection_set, condition)
            elif condition is type or (
                is_abstract_type(condition) and self.schema.is_sub_type(condition, type)
            ):
                yield from self.fields(node.selection_set, type)

    def included(self, node: Any) -> bool:
        for directive in node.directives:
            if directive.name.value in ("include", "skip"):
                value = value_from_ast_untyped(directive.arguments[0].value, self.values)
                if value != (directive.name.value == "include"):
                    return False
        return True

    # Fields

    def field(self, nodes: list[FieldNode], parent: Any, root: str | None, page: float | None) -> float:
        node = nodes[0]
        name = node.name.value
        definition = getattr(parent, "fields", {}).get(name)
        if definition is None:
            return 0.0
        type = get_named_type(definition.type)
        composite = is_composite_type(type)
        connection = (
            isinstance(type, GraphQLObjectType)
            and type.name.endswith("Connection")
            and ("edges" in type.fields or "nodes" in type.fields)
        )
        is_list = is_list_type(get_nullable_type(definition.type))
        sets = [each.selection_set for each in nodes if each.selection_set]
        own, size, below = 0.0, 1.0, None
        if self.rule == "shopify":
            below = self.page(node) if connection else None
            if page is not None and name in ("edges", "nodes"):
                size = page
            elif is_list and ("first" in definition.args or "last" in definition.args):
                size = self.page(node)
            own = 10.0 if root == "mutation" else 2.0 if connection else 0.0
        elif self.rule == "gitHub" and connection:
            own, size = 1.0, self.page(node)
        elif self.rule == "fieldCost":
            own = 1.0 if composite else 0.0
            for argument in node.arguments:
                input_type = definition.args[argument.name.value].type
                own += self.input(argument.value, input_type)
        if not composite:
            return min(own, LIMIT)
        inner = self.selected(sets, type, None, below)
        free = root == "mutation" or connection or (page is not None and name in ("edges", "pageInfo"))
        if self.rule == "shopify" and free:
            inner = self.without_objects(sets, type, below)
        return min(own + size * inner, LIMIT)

    def without_objects(self, sets: list[Any], type: Any, page: float | None) -> float:
        """The cost of one object less the point for itself."""
        types = self.schema.get_possible_types(type) if is_abstract_type(type) else [type]
        return max(self.object(sets, each, None, page) - 1 for each in types)

    def page(self, node: FieldNode) -> float:
        counts = []
        for argument in node.arguments:
            if argument.name.value not in ("first", "last"):
                continue
            value = argument.value
            if isinstance(value, VariableNode):
                count = self.values.get(value.name.value)
            else:
                count = int(value.value) if isinstance(value, IntValueNode) else None
            if isinstance(count, (int, float)):
                counts.append(min(max(float(count), 0.0), LIMIT))
        return max(counts, default=1.0)

    def input(self, value: Any, type: Any) -> float:
        """A point for each argument and input field whose value is an input object, or a list of them."""
        if not isinstance(get_named_type(type), GraphQLInputObjectType):
            return 0.0
        if isinstance(value, VariableNode):
            if value.name.value not in self.values:
                return 0.0
            return 1.0 + self.nested(self.values[value.name.value], get_named_type(type))
        return 1.0 + self.nested_node(value, get_named_type(type))

    def nested_node(self, value: Any, type: Any) -> float:
        if isinstance(value, VariableNode):
            return self.nested(self.values.get(value.name.value), type)
        if isinstance(value, ListValueNode):
            return sum(self.nested_node(each, type) for each in value.values)
        if isinstance(value, ObjectValueNode):
            return sum(self.input(each.value, type.fields[each.name.value].type) for each in value.fields)
        assert isinstance(value, NullValueNode), value
        return 0.0

    def nested(self, value: Any, type: Any) -> float:
        if isinstance(value, list):
            return sum(self.nested(each, type) for each in value)
        if not isinstance(value, dict):
            return 0.0
        cost = 0.0
        for name, each in value.items():
            inner = get_named_type(type.fields[name].type)
            if isinstance(inner, GraphQLInputObjectType):
                cost += 1.0 + self.nested(each, inner)
        return cost


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--schema", required=True)
    parser.add_argument("--estimator", required=True)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    schema = build_schema(Path(options.schema).read_text(encoding="utf-8"))
    requests = []
    for number in range(options.count):
        seed = options.seed * 1_000_003 + number
        request = Generator(schema, seed).request(str(seed))
        # A plan has one operation.
        if "operationName" not in request:
            requests.append(request)
    lines = "".join(json.dumps(each) + "\n" for each in requests)
    run = subprocess.run(
        [options.estimator], input=lines, capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(answers) == len(requests), f"{len(answers)} answers to {len(requests)} requests"
    wrong = 0
    different = {rule: set() for rule in RULES}
    for request, costs in zip(requests, answers):
        for rule, cost in zip(RULES, costs):
            expected = Judge(schema, request["document"], request.get("variables", {}), rule).cost()
            different[rule].add(expected)
            if cost is not None and math.isclose(cost, expected, rel_tol=1e-9, abs_tol=1e-9):
                continue
            wrong += 1
            if wrong <= 3:
                print(f"{rule}: {cost}, not {expected}: {json.dumps(request)}", file=sys.stderr)
    # Rules that always compute the same would agree as well.
    assert all(len(values) > 2 for values in different.values()), different
    print(f"{len(requests)} requests, {len(RULES)} rules, {wrong} differences")
    return 1 if wrong or not requests else 0


if __name__ == "__main__":
    sys.exit(main())
