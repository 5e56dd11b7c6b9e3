#!/usr/bin/env python3
"""Compares this package's mock endpoint with graphql-core on random requests.

    differential.py --schema FILE --executor PROGRAM [--count N] [--seed N] [--keep FILE]

Both sides derive each value from its response path by the rule in `value`, with nulls, errors and
values of the wrong type among them. They must agree on which requests are refused, on the data, and
on the paths and locations of the errors. The endpoint's status and media type must be those that GraphQL
over HTTP requires for graphql-core's result.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
from collections import Counter
from typing import Any

from graphql import (
    DocumentNode,
    ExecutionResult,
    GraphQLEnumType,
    GraphQLError,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    OperationType,
    build_schema,
    execute,
    get_operation_ast,
    is_abstract_type,
    is_list_type,
    is_non_null_type,
    parse,
    subscribe,
    validate,
)

from generate import Generator
from mutations import mutate

# The data.


def fnv(text: str) -> int:
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return (value ^ (value >> 32)) & 0xFFFFFFFFFFFF


def canonical(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(int(value)) if value == int(value) else f"{value:.3f}"
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, list):
        return "[" + "".join(canonical(item) + "," for item in value) + "]"
    return "{" + "".join(f"{key}:{canonical(value[key])}," for key in sorted(value)) + "}"


def path_text(path: list[str | int]) -> str:
    text = ""
    for element in path:
        text += f"[{element}]" if isinstance(element, int) else ("." if text else "") + element
    return text


def resolve(source: Any, info: Any, **arguments: Any) -> Any:
    path = path_text(info.path.as_list())
    hash = fnv(f"{path}|{info.parent_type.name}.{info.field_name}|{canonical(arguments)}")
    if hash % 41 == 1:
        raise GraphQLError("boom")
    return value(info.schema, path, hash, info.return_type)


def value(schema: GraphQLSchema, path: str, hash: int, type: Any) -> Any:
    if hash % 41 == 2:
        return None
    is_wrong = hash % 41 == 3
    if is_non_null_type(type):
        type = type.of_type
    if is_list_type(type):
        if is_wrong:
            return "text"
        return [element(schema, f"{path}[{index}]", type.of_type) for index in range(hash // 41 % 4)]
    if isinstance(type, GraphQLEnumType):
        return "NOT_A_VALUE" if is_wrong else list(type.values)[hash // 41 % len(type.values)]
    if isinstance(type, GraphQLScalarType):
        return {"wrong": True} if is_wrong else scalar(type.name, path, hash // 41)
    if isinstance(type, GraphQLObjectType):
        return {"__typename": type.name}
    assert is_abstract_type(type)
    names = sorted(each.name for each in schema.get_possible_types(type))
    return {"__typename": "Money" if is_wrong else names[hash // 41 % len(names)]}


def element(schema: GraphQLSchema, path: str, type: Any) -> Any:
    hash = fnv(path)
    return GraphQLError("boom") if hash % 41 == 1 else value(schema, path, hash, type)


def scalar(name: str, path: str, hash: int) -> Any:
    if name == "Int":
        return 2**31 if hash % 13 == 0 else hash % 2**32 - 2**31
    if name == "Float":
        return hash % 1_000_000 / 64
    if name == "Boolean":
        return hash % 2 == 0
    if name == "ID":
        return hash % 1_000 if hash % 3 == 0 else f"id-{hash}"
    if name == "String":
        return path
    return {"at": path, "list": [1, None, True]} if hash % 2 == 0 else str(hash)


# The reason why a subscription has no stream.
NO_EVENTS = "no events"


async def events(source: Any, info: Any, **arguments: Any) -> Any:
    if fnv(f"subscribe|{path_text(info.path.as_list())}") % 7 == 0:
        raise GraphQLError(NO_EVENTS)

    async def stream() -> Any:
        yield {}

    return stream()


# graphql-core.


def of_graphql_core(schema: GraphQLSchema, request: dict[str, Any]) -> dict[str, Any]:
    try:
        document = parse(request["document"])
        errors = validate(schema, document) or conditional_root_fields(document)
    except GraphQLError as error:
        errors = [error]
    if errors:
        return ExecutionResult(None, errors).formatted
    name = request.get("operationName")
    variables = request.get("variables", {})
    operation = get_operation_ast(document, name)
    if operation and operation.operation is OperationType.SUBSCRIPTION:
        return asyncio.run(first_event(schema, document, variables, name)).formatted
    result = execute(
        schema, document, variable_values=variables, operation_name=name, field_resolver=resolve
    )
    return result.formatted


def conditional_root_fields(document: DocumentNode) -> list[GraphQLError]:
    """A rule of September 2025 (section 5.2.4.1) that graphql-core 3.2 does not have yet."""
    return [
        GraphQLError("a condition at the root of a subscription")
        for operation in document.definitions
        if getattr(operation, "operation", None) is OperationType.SUBSCRIPTION
        for selection in operation.selection_set.selections
        for directive in selection.directives
        if directive.name.value in ("skip", "include")
    ]


async def first_event(schema: GraphQLSchema, document: Any, variables: Any, name: Any) -> Any:
    try:
        stream = await subscribe(
            schema,
            document,
            variable_values=variables,
            operation_name=name,
            field_resolver=resolve,
            subscribe_field_resolver=events,
        )
    except RuntimeError:  # graphql-core's response to a subscription whose only field is skipped
        return ExecutionResult(None, [GraphQLError("nothing is selected")])
    if isinstance(stream, ExecutionResult):
        return stream
    async for result in stream:
        return result
    raise RuntimeError("no event")


def comparable(response: dict[str, Any]) -> Any:
    """The parts on which both sides must agree. Messages differ."""
    errors = response.get("errors", [])
    if not any("path" in error for error in errors) and response.get("data") is None and errors:
        return "refused"
    # graphql-core sorts its errors.
    places = [json.dumps([error.get("path"), error.get("locations")]) for error in errors]
    return {"data": response.get("data"), "errors": sorted(places)}


def transport(request: dict[str, Any], expected: dict[str, Any]) -> tuple[int, str]:
    """The status and media type that a response requires."""
    if comparable(expected) == "refused":
        return 400, "application/graphql-response+json"
    operation = get_operation_ast(parse(request["document"]), request.get("operationName"))
    if operation and operation.operation is OperationType.SUBSCRIPTION:
        if any(error["message"] == NO_EVENTS for error in expected.get("errors", [])):
            return 400, "application/graphql-response+json"
        return 200, "text/event-stream"
    return 294 if "errors" in expected else 200, "application/graphql-response+json"


def executed(command: list[str], requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The executor's result for each request."""
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    run = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE)
    results = [json.loads(line) for line in run.stdout.decode().splitlines()]
    if run.returncode != 0 or len(results) != len(requests):
        sys.exit(f"the executor gave {len(results)} of {len(requests)} results")
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--schema", required=True)
    parser.add_argument("--executor", required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="where to write the requests")
    options = parser.parse_args()

    with open(options.schema, encoding="utf-8") as file:
        schema = build_schema(file.read())
    requests = []
    for number in range(options.count):
        seed = options.seed * 1_000_003 + number
        request = Generator(schema, seed).request(f"{options.seed}.{number}")
        if number % 2:
            request["name"] += " " + mutate(request, schema, random.Random(seed))
        requests.append(request)
    if options.keep:
        with open(options.keep, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(request) + "\n" for request in requests)

    results = executed([options.executor, options.schema], requests)

    outcomes: Counter[str] = Counter()
    failed = 0
    for request, result in zip(requests, results):
        expected = of_graphql_core(schema, request)
        actual = result["response"]
        responded = result["status"], result["type"]
        if comparable(expected) == comparable(actual) and transport(request, expected) == responded:
            kind = "refused" if comparable(expected) == "refused" else "executed"
            outcomes[kind + (" with errors" if kind == "executed" and "errors" in expected else "")] += 1
            continue
        failed += 1
        if failed <= 10:
            print(f"FAILED {request['name']}\n{json.dumps(request)}")
            print(f"graphql-core: {transport(request, expected)} {json.dumps(expected)[:2000]}")
            print(f"ours:         {responded} {json.dumps(actual)[:2000]}")
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())))
    print(f"{len(requests) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
