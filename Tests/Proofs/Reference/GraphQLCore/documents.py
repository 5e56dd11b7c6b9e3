"""The checked input: a schema read from files, and requests for it."""

from __future__ import annotations

import json
import sys
from typing import Any, NamedTuple

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    NoUnusedFragmentsRule,
    OperationDefinitionNode,
    Source,
    build_ast_schema,
    build_client_schema,
    concat_ast,
    parse,
    specified_rules,
    validate,
    validate_schema,
)
from graphql.execution import get_variable_values
from graphql.validation.validate import validate_sdl

from scalars import install_formats


class Unreadable(Exception):
    """Input that cannot be checked at all."""


class Request(NamedTuple):
    name: str
    document: str
    variables: dict[str, Any]
    operation_name: str | None
    rules: list[Any] | None
    """None for all rules."""


class CheckResult(NamedTuple):
    errors: list[GraphQLError]
    document: DocumentNode | None
    operation: OperationDefinitionNode | None
    """The operation of the request, if there are no errors."""


def load_schema(paths: list[str]) -> GraphQLSchema:
    """Reads one introspection result, or one or several files in the definition language.

    The documents are checked, not the schema: its errors are printed to standard error, and only
    a schema that cannot be built ends the program.
    """
    texts = [_read(path) for path in paths]
    try:
        if not any(text.lstrip().startswith("{") for text in texts):
            parts = [parse(Source(text, path)) for text, path in zip(texts, paths)]
            definitions = concat_ast(parts)
            faults = validate_sdl(definitions)
            schema = build_ast_schema(definitions, assume_valid_sdl=True)
        elif len(texts) == 1:
            result = json.loads(texts[0])
            faults = []
            schema = build_client_schema(result.get("data", result))
        else:
            raise Unreadable("an introspection result must be the only --schema")
        faults += validate_schema(schema)
    except (GraphQLError, TypeError, ValueError, KeyError, AttributeError) as error:
        raise Unreadable(f"cannot build a schema from {', '.join(paths)}: {error}") from error
    for fault in faults:
        place = "".join(f"{at.line}:{at.column}: " for at in (fault.locations or [])[:1])
        print(f"reference: note: schema: {place}{fault.message}", file=sys.stderr)
    # The errors were printed, so validating a document need not stop at them.
    schema = GraphQLSchema(**{**schema.to_kwargs(), "assume_valid": True})
    install_formats(schema)
    return schema


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"cannot read {path}: {error}") from error


def read_request(line: bytes, number: int) -> Request:
    """Reads `{"name": …, "document": …, "variables": …, "operationName": …}`; the last two may
    be absent or null. With `"unusedFragments": true` the document may have unused fragments: these check
    selections on types that no operation leads to."""
    try:
        value = json.loads(
            line.decode(), object_pairs_hook=_without_duplicates, parse_constant=_refuse
        )
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"line {number} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise Unreadable(f"line {number} is not an object")
    variables = value.get("variables")
    request = Request(
        name=value.get("name"),
        document=value.get("document"),
        variables={} if variables is None else variables,
        operation_name=value.get("operationName"),
        rules=_RULES_WITH_UNUSED_FRAGMENTS if value.get("unusedFragments") is True else None,
    )
    if (
        not isinstance(request.name, str)
        or not isinstance(request.document, str)
        or not isinstance(request.variables, dict)
        or not isinstance(request.operation_name, (str, type(None)))
    ):
        raise Unreadable(f"line {number} lacks a name, a document or an object of variables")
    return request


_RULES_WITH_UNUSED_FRAGMENTS = [
    rule for rule in specified_rules if rule is not NoUnusedFragmentsRule
]


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("an object has two members of one name")
    return value


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not a JSON value")


def check(schema: GraphQLSchema, request: Request) -> CheckResult:
    """Parses and validates a document, finds its operation and coerces the variables."""
    try:
        # Locations cost time and memory, and only rejected documents need them.
        result = _check(schema, request, no_location=True)
        return _check(schema, request, no_location=False) if result.errors else result
    except RecursionError:
        return CheckResult([GraphQLError("The document is nested too deeply to be checked.")], None, None)


def _check(schema: GraphQLSchema, request: Request, no_location: bool) -> CheckResult:
    try:
        document = parse(request.document, no_location=no_location)
    except GraphQLError as error:
        return CheckResult([error], None, None)
    errors = validate(schema, document, request.rules)
    if errors:
        return CheckResult(errors, None, None)

    operation = _operation(document, request.operation_name)
    if isinstance(operation, GraphQLError):
        return CheckResult([operation], None, None)
    definitions = operation.variable_definitions or ()
    declared = {definition.variable.name.value for definition in definitions}
    # A server ignores these, but a printed document should not contain them.
    errors = [
        GraphQLError(f"Variable '${name}' is sent, but the operation does not declare it.")
        for name in request.variables
        if name not in declared
    ]
    values = get_variable_values(schema, definitions, request.variables)
    if isinstance(values, list):
        errors += values
    return CheckResult(errors, document, operation)


def _operation(document: DocumentNode, name: str | None) -> OperationDefinitionNode | GraphQLError:
    operations = [
        definition
        for definition in document.definitions
        if isinstance(definition, OperationDefinitionNode)
        and (name is None or (definition.name and definition.name.value == name))
    ]
    if len(operations) == 1:
        return operations[0]
    if name is not None:
        return GraphQLError(f"The document has no operation '{name}'.")
    if not operations:
        return GraphQLError("The document has no operation.")
    return GraphQLError("The document has several operations, and the request does not name one.")
