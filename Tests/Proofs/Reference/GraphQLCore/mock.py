"""Executes operations against made-up data.

Every value is derived from a hash of its response path and its type. So the same document gives
the same response in every run, and two fields are unlikely to have the same value.
"""

from __future__ import annotations

import asyncio
import json
from hashlib import blake2b
from typing import Any, AsyncIterator

from graphql import (
    DocumentNode,
    ExecutionResult,
    GraphQLAbstractType,
    GraphQLEnumType,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLResolveInfo,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    execute,
    is_abstract_type,
    is_list_type,
    is_non_null_type,
    subscribe,
)

from scalars import FORMATS

LIST_LENGTH = 2
NULL_IN = 8
"""One in so many nullable values is null."""

INTS = [-(2**31), -1, 0, 1, 42, 65_536, 2**31 - 1]
FLOATS = [-0.5, 0.0, 0.1, 3.0, 1e-7, 12345678.9, 1.7976931348623157e308, 5e-324]
ENDINGS = [
    "",
    ' "quoted"',
    " back\\slash \\n \\u0041 \\",
    " two\nlines\r\n\tand a tab",
    " \U0001f6d2 \U0001f469\u200d\U0001f467 caf\u00e9 e\u0301",
    " \x01\x1f\x7f \u2028\u2029 /* */ ''' \\( ${}",
    " \uffff\ufeff\U0010ffff",
]


def respond(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: dict[str, Any],
) -> dict[str, Any]:
    """The response to an operation; for a subscription, the response for its first event."""
    name = operation.name.value if operation.name else None
    if operation.operation is OperationType.SUBSCRIPTION:
        result = asyncio.run(_first_event(schema, document, variables, name))
    else:
        result = execute(
            schema,
            document,
            variable_values=variables,
            operation_name=name,
            field_resolver=_resolve,
        )
    return result.formatted


async def _first_event(
    schema: GraphQLSchema, document: DocumentNode, variables: dict[str, Any], name: str | None
) -> ExecutionResult:
    stream = subscribe(
        schema,
        document,
        variable_values=variables,
        operation_name=name,
        field_resolver=_resolve,
        subscribe_field_resolver=_one_event,
    )
    if asyncio.iscoroutine(stream):
        stream = await stream
    if isinstance(stream, ExecutionResult):
        return stream
    async for result in stream:
        return result
    raise RuntimeError("the subscription ended without an event")


async def _one_event(source: Any, info: GraphQLResolveInfo, **arguments: Any) -> AsyncIterator[Any]:
    yield {}


def _resolve(source: Any, info: GraphQLResolveInfo, **arguments: Any) -> Any:
    # The path is that of the field; elements of lists get their own below.
    return _value(info.schema, info.return_type, info.path.as_list())


def _value(schema: GraphQLSchema, type: GraphQLOutputType, path: list[str | int]) -> Any:
    hash = _hash(path, str(type))
    if is_non_null_type(type):
        type = type.of_type
    elif hash % NULL_IN == 0:
        return None
    hash //= NULL_IN

    if is_list_type(type):
        return [_value(schema, type.of_type, [*path, index]) for index in range(LIST_LENGTH)]
    if isinstance(type, GraphQLEnumType):
        return _choose(list(type.values), hash)
    if isinstance(type, GraphQLObjectType):
        return {"__typename": type.name}
    if is_abstract_type(type):
        return {"__typename": _concrete(schema, type, hash).name}
    return _leaf(type.name, path, hash)


def _concrete(
    schema: GraphQLSchema, type: GraphQLAbstractType, hash: int
) -> GraphQLObjectType:
    return _choose(sorted(schema.get_possible_types(type), key=lambda each: each.name), hash)


def _leaf(type: str, path: list[str | int], hash: int) -> Any:
    if type == "Int":
        return _choose(INTS, hash)
    if type == "Float":
        return _choose(FLOATS, hash)
    if type == "Boolean":
        return hash % 2 == 1
    if type == "ID":
        return f"id:{hash:016x}"
    if type in FORMATS:
        return _choose(FORMATS[type].samples, hash)
    return ".".join(map(str, path)) + _choose(ENDINGS, hash)


def _choose(among: list[Any], hash: int) -> Any:
    return among[hash % len(among)]


def _hash(path: list[str | int], type: str) -> int:
    bytes = json.dumps([path, type]).encode()
    return int.from_bytes(blake2b(bytes, digest_size=8).digest(), "big")
