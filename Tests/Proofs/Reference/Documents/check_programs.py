#!/usr/bin/env python3
"""Compares with graphql-core which programs of documents are accepted, and what is sent for them.

    check_programs.py --schema FILE --configuration FILE --checker PROGRAM [--count N] [--seed N] [--folder FOLDER]

Half of the programs are changed at random, so that most of these are invalid. Accepted ones must be those that
graphql-core accepts. The text of each operation must be what completion.py makes of it, and valid; the latter also
in a program with errors, in which operations of other documents are printed.

With a folder of given.py, the programs are not random: the documents in it, the same with each of the refused ones,
and `--count` changed ones.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import subprocess
import sys
from collections import Counter
from difflib import unified_diff
from pathlib import Path
from typing import Any

from graphql import (
    REMOVE,
    DirectiveNode,
    DocumentNode,
    ExecutableDefinitionNode,
    FieldNode,
    FragmentDefinitionNode,
    GraphQLError,
    GraphQLSchema,
    NoUnusedFragmentsRule,
    OperationDefinitionNode,
    OverlappingFieldsCanBeMergedRule,
    Visitor,
    build_client_schema,
    build_schema,
    concat_ast,
    parse,
    specified_rules,
    validate,
    visit,
)

from completion import Completion, printed
from programs import ProgramGenerator

from acceptance import changed  # noqa: E402, a module next to generate.py
from differential import conditional_root_fields  # noqa: E402
from mutations import mutate  # noqa: E402

# An unused fragment is a warning: another module may use it.
RULES = [rule for rule in specified_rules if rule is not NoUnusedFragmentsRule]

FOREIGN = {
    "apollo_client_ios_localCacheMutation", "import", "connection", "nonnull", "optional", "required", "catch",
    "throwOnFieldError", "ignoreErrors", "unmask",
}
"""The directives of other libraries for their generators."""


def read_schema(path: str) -> GraphQLSchema:
    text = Path(path).read_text("utf-8-sig")
    if text.lstrip().startswith("{"):
        result = json.loads(text)
        schema = build_client_schema(result.get("data", result))
    else:
        schema = build_schema(text, assume_valid_sdl=True)
    # Documents are checked, and not the schema.
    return GraphQLSchema(**{**schema.to_kwargs(), "assume_valid": True})


def read_keys(path: str) -> dict[str, list[str]]:
    types = json.loads(Path(path).read_text("utf-8")).get("types", {})
    return {name: policy["key"] for name, policy in types.items() if "key" in policy}


def program(schema: GraphQLSchema, seed: int) -> tuple[list[str], str]:
    """The texts, and how they were changed."""
    texts = ProgramGenerator(schema, seed).program()
    return (texts, "not changed") if seed % 2 else changed_program(schema, texts, seed)


def given_programs(schema: GraphQLSchema, folder: Path, count: int, seed: int) -> list[tuple[list[str], str]]:
    texts = documents_in(folder / "Documents")
    programs = [(texts, "not changed")]
    programs += [([*texts, each], "with a refused document") for each in documents_in(folder / "Refused")]
    return programs + [changed_program(schema, texts, seed * 1_000_003 + number) for number in range(count)]


def documents_in(folder: Path) -> list[str]:
    return [path.read_text("utf-8-sig") for path in sorted(folder.rglob("*.graphql"))]


def changed_program(schema: GraphQLSchema, texts: list[str], seed: int) -> tuple[list[str], str]:
    texts = list(texts)
    choose = random.Random(seed)
    at = choose.randrange(len(texts))
    if choose.random() < 0.2:
        texts[at] = changed(texts[at], choose)
        return texts, "changed characters"
    request = {"document": texts[at]}
    name = mutate(request, schema, choose)
    texts[at] = request["document"]
    return texts, name


def accepted(schema: GraphQLSchema, texts: list[str]) -> tuple[DocumentNode | None, str]:
    """The document, if it is valid; otherwise, the reason why it is not."""
    try:
        document = without_foreign_directives(schema, concat_ast([parse(text) for text in texts]))
    except (GraphQLError, RecursionError) as error:
        return None, str(error)
    errors = errors_of(schema, document)
    return (None, str(errors[0])) if errors else (document, "")


def errors_of(schema: GraphQLSchema, document: DocumentNode) -> list[GraphQLError]:
    for each in document.definitions:
        if not isinstance(each, ExecutableDefinitionNode):
            return [GraphQLError("a type system definition", each)]
    try:
        errors = validate(schema, document, RULES) or conditional_root_fields(document)
    except GraphQLError as error:  # a rule of graphql-core that may give up
        errors = [error]
    return errors or without_types(document)


class _WithoutDirectives(Visitor):
    def __init__(self, names: set[str]) -> None:
        super().__init__()
        self.names = names

    def enter_directive(self, node: DirectiveNode, *_: Any) -> Any:
        return REMOVE if node.name.value in self.names else None


def without_foreign_directives(schema: GraphQLSchema, document: DocumentNode) -> DocumentNode:
    """The document without directives that other libraries read, and the schema lacks."""
    return visit(document, _WithoutDirectives({each for each in FOREIGN if not schema.get_directive(each)}))


class _OtherFields(Visitor):
    found: FieldNode | None = None

    def enter_field(self, node: FieldNode, *_: Any) -> None:
        if node.name.value in ("__schema", "__type") or node.alias and node.alias.value == "__typename":
            self.found = node


def without_types(document: DocumentNode) -> list[GraphQLError]:
    """Errors for valid documents that cannot have Swift types."""
    visitor = _OtherFields()
    visit(document, visitor)
    if visitor.found:
        return [GraphQLError("introspection", visitor.found)]
    names: set[str] = set()
    for each in document.definitions:
        name = each.name.value if each.name else ""
        if not name:
            return [GraphQLError("an operation without a name", each)]
        name = name[0].upper() + name[1:]
        if isinstance(each, OperationDefinitionNode):
            kind = each.operation.value.capitalize()
            name = name if name.endswith(kind) else name + kind
        if name in names:
            return [GraphQLError("two types of one name", each)]
        names.add(name)
    return []


def conflicts(schema: GraphQLSchema, completion: Completion, document: DocumentNode) -> bool:
    """Whether a field that is added has the name of another one, so that graphql-core rejects what is sent."""
    return any(
        validate(schema, completion.sent(each), [OverlappingFieldsCanBeMergedRule]) for each in document.definitions)


class Difference(Exception):
    pass


def check(schema: GraphQLSchema, keys: dict[str, list[str]], texts: list[str], ours: dict[str, Any]) -> bool:
    """Whether the program is accepted; raises if the other side disagrees."""
    document, reason = accepted(schema, texts)
    completion = Completion(schema, keys, document) if document else None
    if completion and ours["errors"] and conflicts(schema, completion, document):
        document, reason = None, "a key that is added is in conflict"
    if (document is not None) == bool(ours["errors"]):
        raise Difference(f"graphql-core: {reason or 'accepted'}\nours:         {ours['errors'] or 'accepted'}")
    sent = {each["name"]: each["text"] for each in ours["operations"]}
    for name, text in sent.items():
        # Additions to a valid program can do nothing but add conflicts.
        errors = validate(schema, parse(text), [OverlappingFieldsCanBeMergedRule] if document else None)
        if errors:
            raise Difference(f"{name} is sent as {text}\nwhich is invalid: {errors[0].message}")
    if document is None:
        return False
    operations = [each for each in document.definitions if isinstance(each, OperationDefinitionNode)]
    if [each.name.value for each in operations] != [each["name"] for each in ours["operations"]]:
        raise Difference(f"other operations: {list(sent)}")
    if ours["files"] != len(texts):
        raise Difference(f"{ours['files']} files for {len(texts)} documents")
    for operation in operations:
        expected, actual = printed(completion.sent(operation)), printed(parse(sent[operation.name.value]))
        if expected != actual:
            lines = unified_diff(expected.splitlines(), actual.splitlines(), "expected", "sent", lineterm="")
            raise Difference("\n".join(lines))
    return True


_schema: GraphQLSchema
_keys: dict[str, list[str]]


def _checked(item: tuple[list[str], str, str]) -> tuple[str, str, int]:
    texts, change, line = item
    ours = json.loads(line)
    try:
        is_accepted = check(_schema, _keys, texts, ours)
    except Difference as difference:
        return "different", f"{change}: {json.dumps(texts)}\n{difference}", 0
    return "accepted" if is_accepted else "rejected", change, len(ours["operations"])


def _program(seed: int) -> tuple[list[str], str]:
    return program(_schema, seed)


def main() -> int:
    global _schema, _keys
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--schema", required=True)
    parser.add_argument("--configuration", required=True)
    parser.add_argument("--checker", required=True)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    _schema = read_schema(options.schema)
    _keys = read_keys(options.configuration)

    with multiprocessing.get_context("fork").Pool() as pool:
        if options.folder:
            programs = given_programs(_schema, options.folder, options.count, options.seed)
        else:
            seeds = range(options.seed * 1_000_003, options.seed * 1_000_003 + options.count)
            programs = pool.map(_program, seeds, chunksize=50)
        lines = "".join(json.dumps(texts) + "\n" for texts, _ in programs)
        run = subprocess.run(
            [options.checker, options.schema, options.configuration], input=lines.encode(), stdout=subprocess.PIPE)
        results = run.stdout.decode().split("\n")[:-1]
        if run.returncode != 0 or len(results) != len(programs):
            sys.exit(f"the checker gave {len(results)} of {len(programs)} results")
        items = [(*each, line) for each, line in zip(programs, results)]
        outcomes = pool.map(_checked, items, chunksize=50)

    counts: Counter[str] = Counter()
    operations = 0
    changes: set[str] = set()
    for outcome, text, count in outcomes:
        counts[outcome] += 1
        operations += count
        if outcome == "rejected":
            changes.add(text)
        if outcome == "different" and counts[outcome] <= 10:
            print(f"FAILED {text}")
    print(
        f"{counts['accepted']} programs accepted, {counts['rejected']} rejected, {operations} operations printed, "
        f"{len(changes)} kinds of changes rejected")
    if options.folder and outcomes[0][0] == "accepted":
        print(f"as they are, the documents have {outcomes[0][2]} operations")
    print(f"{len(outcomes) - counts['different']} passed, {counts['different']} failed")
    # A run that compares almost nothing shows nothing.
    is_enough = min(counts["accepted"], counts["rejected"], operations) * 10 >= options.count
    if options.folder:
        is_enough = outcomes[0][0] == "accepted" and counts["rejected"] * 4 >= options.count
    if not is_enough:
        print("too few programs were accepted, or too few rejected")
    return 0 if is_enough and not counts["different"] else 1


if __name__ == "__main__":
    sys.exit(main())
