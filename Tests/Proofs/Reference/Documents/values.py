#!/usr/bin/env python3
"""Compares the values that typed operations read with those in the responses.

    values.py documents --schema FILE --configuration FILE --folder FOLDER [--count N] [--seed N]
    values.py program --schema FILE --folder FOLDER --generated FOLDER [--seed N]
    values.py compare --schema FILE --configuration FILE --folder FOLDER --program PROGRAM [--responses N] [--seed N]

`documents` writes random valid documents to FOLDER/Documents. After the tool has generated their code, `program` writes
the code that calls all of it. `compare` has graphql-core execute the operations, gives the responses to the program
in several forms, and compares what it reads with what reading.py computes. Some objects in the responses have types,
and some enums values, that the schema lacks.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
from collections import Counter
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from zlib import crc32

from graphql import (
    DocumentNode,
    FragmentDefinitionNode,
    GraphQLEnumType,
    GraphQLError,
    GraphQLNonNull,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    concat_ast,
    execute,
    extend_schema,
    get_named_type,
    get_nullable_type,
    is_abstract_type,
    is_enum_type,
    is_input_object_type,
    is_interface_type,
    is_list_type,
    is_non_null_type,
    is_object_type,
    is_required_input_field,
    is_scalar_type,
    is_specified_scalar_type,
    is_union_type,
    parse,
    print_ast,
    print_type,
    subscribe,
    type_from_ast,
)

from check_programs import accepted, conflicts, read_keys, read_schema, without_foreign_directives
from completion import Completion, printed
from exerciser import FILE, program as exerciser_files
from programs import ProgramGenerator
from reading import Reader, plain

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "GraphQLCore"))

from generate import ABSENT  # noqa: E402
from scalars import FORMATS  # noqa: E402
from world import World, leaf  # noqa: E402


class Operation:
    def __init__(self, document: DocumentNode, node: OperationDefinitionNode) -> None:
        self.document = document
        self.node = node
        self.name = node.name.value
        self.fragments = {
            each.name.value: each for each in document.definitions if isinstance(each, FragmentDefinitionNode)
        }


# Documents.


def has_custom_scalar(type: Any, visited: frozenset[str] = frozenset()) -> bool:
    type = get_named_type(type)
    if is_input_object_type(type):
        if type.name in visited:
            return False
        return any(has_custom_scalar(each.type, visited | {type.name}) for each in type.fields.values())
    return is_scalar_type(type) and not is_specified_scalar_type(type)


class ReadableGenerator(ProgramGenerator):
    """Programs whose variables can be written as Swift expressions."""

    def place(self, type: Any, depth: int) -> str:
        return self.literal(type, depth) if has_custom_scalar(type) else super().place(type, depth)

    def element(self, type: Any, depth: int) -> str:
        if not has_custom_scalar(type):
            return super().element(type, depth)
        return self.literal(type, depth + 1)


def write_documents(
    schema: GraphQLSchema, keys: dict[str, list[str]], folder: Path, count: int, seed: int
) -> None:
    documents = folder / "Documents"
    documents.mkdir(parents=True)
    operations = number = 0
    values: dict[str, Any] = {}
    while operations < count:
        number += 1
        generator = ReadableGenerator(schema, seed * 1_000_003 + number, f"P{number}")
        generator.budget = min(generator.budget, 30)
        texts = generator.program()
        document, _ = accepted(schema, texts)
        if document is None or conflicts(schema, Completion(schema, keys, document), document):
            continue
        for index, text in enumerate(texts):
            (documents / f"P{number}-{index}.graphql").write_text(text, "utf-8")
        values[f"P{number}"] = {name: value for name, value in generator.values.items() if value is not ABSENT}
        operations += sum(isinstance(each, OperationDefinitionNode) for each in document.definitions)
    (folder / "values.json").write_text(json.dumps(values), "utf-8")
    print(f"{operations} operations in {len(list(documents.iterdir()))} documents")


def read_operations(schema: GraphQLSchema, folder: Path) -> list[Operation]:
    paths = sorted((folder / "Documents").rglob("*.graphql"))
    document = without_foreign_directives(schema, concat_ast([parse(path.read_text("utf-8-sig")) for path in paths]))
    return [Operation(document, each) for each in document.definitions if isinstance(each, OperationDefinitionNode)]


def variables(
    schema: GraphQLSchema, operation: Operation, folder: Path, seed: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The variables of an operation as they are sent, and their types."""
    path = folder / "values.json"
    values, types = {}, {}
    generator = ReadableGenerator(schema, crc32(operation.name.encode()) + seed)
    known = {}
    if path.exists():
        known = json.loads(path.read_text("utf-8"))["P" + operation.name.rpartition("P")[2]]
    for definition in operation.node.variable_definitions:
        name = definition.variable.name.value
        types[name] = type_from_ast(schema, definition.type)
        if name in known:
            values[name] = coerced(types[name], known[name])
        elif not path.exists():
            is_required = is_non_null_type(types[name]) and definition.default_value is None
            if is_required or is_chosen(types[name], generator):
                values[name] = given(types[name], generator)
    return values, types


def is_chosen(type: Any, generator: Any) -> bool:
    """Whether a document that is not random is given a value that it does not require."""
    return generator.chance(0.5) and not has_custom_scalar(type)


def given(type: Any, generator: Any, depth: int = 0) -> Any:
    """A value for a document that is not random: one without custom scalars, where these are not required."""
    type = get_nullable_type(type)
    if is_list_type(type):
        return [given(type.of_type, generator, depth)]
    if is_input_object_type(type):
        fields = {
            name: each for name, each in type.fields.items()
            if is_required_input_field(each) or depth < 3 and is_chosen(each.type, generator)
        }
        if type.is_one_of:
            fields = dict([next(iter(type.fields.items()))])
        return {name: given(each.type, generator, depth + 1) for name, each in fields.items()}
    if is_scalar_type(type) and not is_specified_scalar_type(type):
        if type.name == "Upload":
            return FILE
        return FORMATS[type.name].samples[0] if type.name in FORMATS else "custom"
    return coerced(type, generator.json(GraphQLNonNull(type), 0))


def without_files(value: Any) -> Any:
    """Variables as they are sent: files are separate parts of the request."""
    if isinstance(value, dict):
        return {name: without_files(each) for name, each in value.items()}
    if isinstance(value, list):
        return [without_files(each) for each in value]
    return None if value == FILE else value


def coerced(type: Any, value: Any) -> Any:
    """A value as it is sent by code with types."""
    if value is None:
        return None
    type = get_nullable_type(type)
    if is_list_type(type):
        items = value if isinstance(value, list) else [value]
        return [coerced(type.of_type, each) for each in items]
    if is_input_object_type(type):
        return {name: coerced(type.fields[name].type, each) for name, each in value.items()}
    if type.name == "ID":
        return str(value)
    return int(value) if type.name == "Int" else value


# Responses.


def with_unknown_types(schema: GraphQLSchema) -> GraphQLSchema:
    """The schema of a later version: interfaces and unions have one more object type, and enums one more value."""
    parts = []
    for type in schema.type_map.values():
        if type.name.startswith("__"):
            continue
        if is_interface_type(type):
            names = " & ".join([type.name, *(each.name for each in type.interfaces)])
            body = print_type(type).split("{", 1)[1]
            parts.append(f"type Future{type.name} implements {names} {{{body}")
        elif is_union_type(type):
            parts.append(f"type Future{type.name} {{ future: Int }}\nextend union {type.name} = Future{type.name}")
        elif is_enum_type(type):
            parts.append(f"extend enum {type.name} {{ FUTURE_VALUE }}")
    if not parts:
        return schema
    return extend_schema(schema, parse("\n".join(parts)), assume_valid=True)


class Mock:
    """Values for one response."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def resolve(self, source: Any, info: Any, **arguments: Any) -> Any:
        return self.value(info.schema, info.return_type)

    def value(self, schema: GraphQLSchema, type: Any) -> Any:
        if not is_non_null_type(type) and self.random.random() < 0.15:
            return None
        type = get_nullable_type(type)
        if is_list_type(type):
            count = self.random.choice([0, 1, 1, 2, 3])
            return [self.value(schema, type.of_type) for _ in range(count)]
        if isinstance(type, GraphQLEnumType):
            return self.random.choice(list(type.values))
        if is_object_type(type):
            return {"__typename": type.name}
        if is_abstract_type(type):
            return {"__typename": self.random.choice(schema.get_possible_types(type)).name}
        return leaf(type.name, self.random)


def respond(schema: GraphQLSchema, document: DocumentNode, values: dict[str, Any], seed: int) -> dict[str, Any]:
    """The data of a response."""
    mock = Mock(seed)
    arguments = {"variable_values": values, "field_resolver": mock.resolve}

    async def events(source: Any, info: Any, **arguments: Any) -> Any:
        yield {}

    async def first() -> Any:
        stream = await subscribe(schema, document, subscribe_field_resolver=events, **arguments)
        if not hasattr(stream, "__aiter__"):
            return stream
        async for result in stream:
            return result

    if document.definitions[0].operation is OperationType.SUBSCRIPTION:
        result = asyncio.run(first())
    else:
        result = execute(schema, document, **arguments)
    if result.errors:
        raise GraphQLError(f"graphql-core cannot execute {print_ast(document)}: {result.errors[0]}")
    return result.data


def bodies(data: dict[str, Any], choose: random.Random) -> list[str]:
    """One response in several forms; the second is the usual one, when all types of objects are known."""
    return [
        json.dumps({"data": shuffled(data, choose)}, ensure_ascii=False),
        json.dumps({"data": data}, ensure_ascii=False, separators=(",", ":")),
        json.dumps({"data": with_extra_members(data, choose)}, ensure_ascii=choose.random() < 0.5),
        escaped({"extensions": {"a": [1]}, "data": data}),
        json.dumps({"data": data, "extensions": {}}, indent=1),
    ]


def shuffled(value: Any, choose: random.Random) -> Any:
    if isinstance(value, dict):
        names = list(value)
        choose.shuffle(names)
        return {name: shuffled(value[name], choose) for name in names}
    return [shuffled(each, choose) for each in value] if isinstance(value, list) else value


def with_extra_members(value: Any, choose: random.Random) -> Any:
    if isinstance(value, list):
        return [with_extra_members(each, choose) for each in value]
    # An object may also be the value of a custom scalar.
    if not isinstance(value, dict) or value in FORMATS["JSON"].samples:
        return value
    members = [(name, with_extra_members(each, choose)) for name, each in value.items()]
    for name in choose.sample(["zz", "", "id2", "__more", "名"], choose.randint(0, 2)):
        extra = choose.choice([None, 1, "x\n", {"id": "1", "__typename": "Q"}, [[], {}]])
        members.insert(choose.randint(0, len(members)), (name, extra))
    return dict(members)


def escaped(value: Any) -> str:
    """JSON in which all characters of strings and names are escaped."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{escaped(name)}:{escaped(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(escaped, value)) + "]"
    if isinstance(value, str):
        units = value.encode("utf-16-be")
        return '"' + "".join(f"\\u{units[i]:02x}{units[i + 1]:02X}" for i in range(0, len(units), 2)) + '"'
    return json.dumps(value)


# Comparison.


def expected_leaf(type: Any, value: Any) -> Any:
    if value is None:
        return None
    type = get_nullable_type(type)
    if is_list_type(type):
        return [expected_leaf(type.of_type, each) for each in value]
    if is_enum_type(type):
        return value
    if type.name in ("DateTime", "ISO8601DateTime"):
        return {"$milliseconds": str(round(datetime.fromisoformat(value).timestamp() * 1000))}
    if type.name == "Float":
        return {"$double": float(value)}
    if type.name == "Decimal":
        return {"$decimal": Decimal(value)}
    if type.name in SPECIFIED or type.name in PLAIN:
        return value
    return {"$json": value}


SPECIFIED = ("Int", "String", "Boolean", "ID")
PLAIN = ("Date", "URL", "URI", "BigInt", "HTML")


def comparable(value: Any) -> Any:
    """The values that the program has printed, in the form of `expected_leaf`."""
    if isinstance(value, list):
        return [comparable(each) for each in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        (name, content), = value.items()
        if name == "$double":
            return {name: float(content)}
        if name == "$decimal":
            return {name: Decimal(content)}
        if name == "$json":
            return {name: json.loads(content)}
    is_plain = {name: " " in name or name.startswith((".", "$")) for name in value}
    return {name if is_plain[name] else plain(name): comparable(each) for name, each in value.items()}


def difference(expected: Any, actual: Any, path: str = "") -> str:
    """The first place at which two values differ; empty if there is none."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        if set(expected) != set(actual):
            missing, added = sorted(set(expected) - set(actual)), sorted(set(actual) - set(expected))
            return f"{path}: only in the document: {missing}, only in the code: {added}"
        return next(filter(None, (difference(expected[key], actual[key], f"{path}.{key}") for key in expected)), "")
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        pairs = enumerate(zip(expected, actual))
        return next(filter(None, (difference(*pair, f"{path}[{index}]") for index, pair in pairs)), "")
    is_same = expected == actual and type(expected) is type(actual)
    return "" if is_same else f"{path}: {expected!r} was sent, and {actual!r} read"


def compare(schema: GraphQLSchema, keys: dict[str, list[str]], options: argparse.Namespace) -> int:
    operations = read_operations(schema, options.folder)
    later = with_unknown_types(schema)
    completion = Completion(schema, keys, operations[0].document)
    world = World(schema, completion, options.seed)
    lines, cases = [], []
    for number, operation in enumerate(operations):
        values, _ = variables(schema, operation, options.folder, options.seed)
        document = completion.sent(operation.node)
        reader = Reader(schema, document, values, expected_leaf)
        texts, expected = [], []
        for index in range(options.responses):
            seed = options.seed * 1_000_003 + number * options.responses + index
            data = respond(later, document, values, seed)
            forms = bodies(data, random.Random(seed))
            texts += forms
            expected += [reader.read(data)] * len(forms)
        line = {"operation": operation.name, "bodies": texts}
        is_kept = False
        if operation.node.operation is OperationType.QUERY and (data := world.respond(document, values)) is not None:
            line["stored"] = json.dumps({"data": data})
            is_kept = world.is_kept
        lines.append(json.dumps(line) + "\n")
        cases.append((operation, document, values, texts, expected, is_kept))
    results = run_program(options.program, lines)
    failed = 0
    counts: Counter[str] = Counter()
    for (operation, document, values, texts, expected, is_kept), line in zip(cases, results):
        if line is None:
            failed += 1
            print(f"FAILED {operation.name}: the program ended\n{print_ast(operation.node)}\n{texts}")
            continue
        result = json.loads(line)
        problems = []
        if printed(parse(result["document"])) != printed(document):
            problems.append(f"another document is sent: {result['document']}")
        if json.loads(result["variables"]) != without_files(values):
            problems.append(f"variables: {values} expected, {result['variables']} sent")
        first = None
        for index, (text, wanted, response) in enumerate(zip(texts, expected, result["responses"], strict=True)):
            form = index % (len(texts) // options.responses)
            found = difference(wanted, comparable(response["data"]))
            if found:
                problems.append(f"form {form}: {found}\n{text}")
            # Keys that were added are part of equality, and not of what is read.
            is_first = index < len(texts) // options.responses
            if is_first and not response["equal"] or response["equal"] and wanted != expected[0]:
                problems.append(f"form {form}: equality is {response['equal']}\n{texts[0]}\n{text}")
            counts["values"] += leaves(wanted)
            counts["responses"] += 1
            counts[f"usual form {form}"] += response["usual"]
        # The first is that of the response that was just stored.
        for position, problem in enumerate(result["stored"]):
            counts["stored"] += position == 0
            counts["complete"] += position == 0 and problem is not None
            counts["read again"] += position > 0 and problem is not None
            if problem:
                problems.append(f"the store: {problem}")
            if position == 0 and problem is None and is_kept:
                problems.append(f"the store has not all of {operation.name}")
        if problems:
            failed += 1
            if failed <= 10:
                print(f"FAILED {operation.name}: {problems[0]}\n{result['document']}")
    usual = counts["usual form 1"]
    print(
        f"{len(cases)} operations, {counts['responses']} responses, {counts['values']} values; {usual} of "
        f"{len(cases) * options.responses} responses as servers send them were read in one pass")
    print(
        f"{counts['stored']} responses were stored and {counts['complete']} of them read as a whole, and "
        f"{counts['read again']} later ones")
    print(f"{len(cases) - failed} passed, {failed} failed")
    # The first object of each type is read in general.
    is_enough = bool(cases) and counts["values"] >= counts["responses"] and usual * 4 > len(cases) * options.responses
    is_enough = is_enough and counts["complete"] * 3 >= counts["stored"] * 2
    return 1 if failed or not is_enough else 0


def run_program(program: str, lines: list[str]) -> list[str | None]:
    """The results; None for a line at which the program ended, after which it is run again with the others."""
    results: list[str | None] = []
    while len(results) < len(lines):
        rest = "".join(lines[len(results) :])
        run = subprocess.run([program], input=rest.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        results += run.stdout.decode().split("\n")[:-1]
        if len(results) < len(lines):
            print("\n".join(run.stderr.decode().splitlines()[:1]))
            if results.count(None) == 10:
                sys.exit("the program has ended too often")
            results.append(None)
    return results


def leaves(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(leaves, value.values()))
    return sum(map(leaves, value)) if isinstance(value, list) else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("command", choices=["documents", "program", "compare"])
    parser.add_argument("--schema", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--generated", type=Path)
    parser.add_argument("--configuration")
    parser.add_argument("--program")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--responses", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    schema = read_schema(options.schema)
    if options.command == "documents":
        write_documents(schema, read_keys(options.configuration), options.folder, options.count, options.seed)
        return 0
    if options.command == "compare":
        return compare(schema, read_keys(options.configuration), options)
    values = {
        each.name: variables(schema, each, options.folder, options.seed)
        for each in read_operations(schema, options.folder)
    }
    for name, text in exerciser_files(options.generated, schema, values).items():
        (options.generated / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
