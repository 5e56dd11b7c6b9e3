#!/usr/bin/env python3
"""Compares the outcomes of this package and of graphql-core on the documents of other parsers' tests.

    corpora.py --checker PROGRAM [--print] FOLDER …

A folder is a checkout of a corpus. The list of known differences, in the folder of this file, has its name. The
cases:

- each file `.graphql` or `.graphqls`
- each GraphQL text in the TypeScript of tests (literals.py)
- each of both that is only refused because it has no query type, with one
- each executable text of a test file with each schema of that file, and with the schema of `harness.ts`; texts
  with `@defer` or `@stream` also with these schemas and the definitions of the directives
- each extension in a test file, appended to each schema of that file

The outcome is one of: no document, document, no schema, schema, invalid, valid. The definitions of types in a text
are its schema; the executable ones are validated against it. A difference that the list does not have fails, and so
does a line of the list whose case no longer differs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Iterable, Iterator, NamedTuple

from graphql import (
    DocumentNode,
    ExecutableDefinitionNode,
    GraphQLError,
    GraphQLSchema,
    MaxIntrospectionDepthRule,
    TypeSystemExtensionNode,
    build_ast_schema,
    parse,
    print_ast,
    specified_rules,
    validate,
    validate_schema,
)
from graphql.validation.validate import validate_sdl

from literals import literals

# A limit of graphql-core, not a rule of the specification.
RULES = [rule for rule in specified_rules if rule is not MaxIntrospectionDepthRule]


# The directives of the draft about incremental delivery.
INCREMENTAL = """
directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
"""


class Case(NamedTuple):
    name: str
    text: str
    schema: str | None = None


class Outcome(NamedTuple):
    outcome: str
    message: str = ""


class Known(NamedTuple):
    """A line of the list: the case, graphql-core's outcome, ours, and the reason for the difference."""

    name: str
    theirs: str
    ours: str
    reason: str


# graphql-core's outcomes.


@cache
def document_of(text: str) -> DocumentNode | GraphQLError:
    try:
        # The specification has no empty selection sets.
        return parse(text, allow_empty_selection_sets=False)
    except GraphQLError as error:
        return error


@cache
def schema_of(text: str) -> GraphQLSchema | GraphQLError:
    document = parse(text)
    try:
        errors = validate_sdl(document)
        if not errors:
            schema = build_ast_schema(document, assume_valid_sdl=True)
            errors = validate_schema(schema)
        return errors[0] if errors else schema
    except (GraphQLError, TypeError) as error:
        return error if isinstance(error, GraphQLError) else GraphQLError(str(error))


def of_graphql_core(case: Case) -> Outcome:
    document = document_of(case.text)
    if isinstance(document, GraphQLError):
        return Outcome("no document", document.message)
    executable = [each for each in document.definitions if isinstance(each, ExecutableDefinitionNode)]
    types = [each for each in document.definitions if not isinstance(each, ExecutableDefinitionNode)]
    schema_text = print_ast(DocumentNode(definitions=tuple(types))) if types else case.schema
    if schema_text is None:
        return Outcome("document")
    schema = schema_of(schema_text)
    if isinstance(schema, GraphQLError):
        return Outcome("no schema", schema.message)
    if not executable:
        return Outcome("schema")
    try:
        errors = validate(schema, DocumentNode(definitions=tuple(executable)), RULES)
    except GraphQLError as error:
        errors = [error]
    return Outcome("invalid", errors[0].message) if errors else Outcome("valid")


# The cases.


def cases(folder: Path) -> Iterator[Case]:
    for path in files(folder, "*.graphql", "*.graphqls"):
        case = Case(str(path.relative_to(folder)), path.read_bytes().decode("utf-8", "replace"))
        yield case
        yield from with_query_type(case)
    tests = {}
    for path in files(folder, "src/**/__tests__/*.ts", "src/__testUtils__/*.ts"):
        file = str(path.relative_to(folder))
        tests[file] = unique(Case(f"{file}:{line}", text) for line, text in literals(path.read_text("utf-8")))
    harness = [case for file, texts in tests.items() if file.endswith("/harness.ts") for case in texts]
    for texts in tests.values():
        for case in texts:
            yield case
            yield from with_query_type(case)
        yield from combined(texts, harness)


def with_query_type(case: Case) -> Iterator[Case]:
    document = document_of(case.text)
    if not isinstance(document, GraphQLError) and of_graphql_core(case).message.startswith("Query root type must"):
        yield Case(f"{case.name} with Query", f"{case.text}\ntype Query {{ field: Int }}")


def files(folder: Path, *patterns: str) -> list[Path]:
    found = {path for pattern in patterns for path in folder.rglob(pattern)}
    return sorted(path for path in found if not {"node_modules", "target"}.intersection(path.parts))


def unique(found: Iterable[Case]) -> list[Case]:
    return list({case.text: case for case in reversed(list(found))}.values())[::-1]


def combined(texts: list[Case], harness: list[Case]) -> Iterator[Case]:
    schemas = [(line(case), case.text) for case in texts if of_graphql_core(case).outcome == "schema"]
    shared = [("harness", case.text) for case in harness]
    for case in texts:
        document = document_of(case.text)
        if isinstance(document, GraphQLError):
            continue
        if all(isinstance(each, ExecutableDefinitionNode) for each in document.definitions):
            for name, schema in schemas + shared:
                yield Case(f"{case.name} on {name}", case.text, schema)
                if ("@defer" in case.text or "@stream" in case.text) and "@defer" not in schema:
                    yield Case(f"{case.name} on {name} with @defer", case.text, schema + INCREMENTAL)
        elif any(isinstance(each, TypeSystemExtensionNode) for each in document.definitions):
            for name, schema in schemas:
                if schema != case.text:
                    yield Case(f"{case.name} after {name}", f"{schema}\n{case.text}")


def line(case: Case) -> str:
    return case.name.rsplit(":", 1)[-1]


# The comparison.


def outcomes(checker: str, tests: list[Case]) -> list[Outcome]:
    lines = (json.dumps({"text": case.text, "schema": case.schema}) for case in tests)
    run = subprocess.run(
        [checker], input="\n".join(lines) + "\n", stdout=subprocess.PIPE, encoding="utf-8", check=True)
    results = [Outcome(**json.loads(line)) for line in run.stdout.split("\n") if line]
    assert len(results) == len(tests), "the checker did not finish"
    return results


def known_differences(corpus: str) -> list[Known]:
    path = Path(__file__).parent / f"{corpus}.txt"
    if not path.exists():
        return []
    lines = path.read_text("utf-8").split("\n")
    return [Known(*line.split(" | ", 3)) for line in lines if line and not line.startswith("#")]


def compare(folder: Path, checker: str, prints: bool) -> int:
    tests = list(cases(folder))
    if not tests:
        print(f"FAILED {folder}: no cases")
        return 1
    known = {(each.name, each.theirs, each.ours) for each in known_differences(folder.name)}
    counts: Counter[str] = Counter()
    unknown = 0
    for case, ours in zip(tests, outcomes(checker, tests)):
        theirs = of_graphql_core(case)
        if ours.outcome == theirs.outcome:
            counts[ours.outcome] += 1
            continue
        difference = (case.name, theirs.outcome, ours.outcome)
        if difference in known:
            known.remove(difference)
            counts["known difference"] += 1
        elif prints:
            print(" | ".join([*difference, theirs.message or ours.message]).replace("\n", " "))
        else:
            unknown += 1
            print(f"FAILED {case.name}\n  graphql-core: {': '.join(filter(None, theirs))}"
                  f"\n  ours:         {': '.join(filter(None, ours))}")
    for name, theirs, ours in sorted(known):
        print(f"FAILED {name}: the list has {theirs} | {ours}, but that is no difference now")
    print(f"{folder.name}, {len(tests)} cases: "
          + ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    return 0 if prints else unknown + len(known)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--checker", required=True)
    parser.add_argument("--print", action="store_true", help="print the differences as lines of the list")
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    failed = sum(compare(folder, options.checker, options.print) for folder in options.folders)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
