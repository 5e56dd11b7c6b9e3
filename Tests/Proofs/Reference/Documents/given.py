#!/usr/bin/env python3
"""Copies the schema and the documents of a project, without the documents that graphql-core refuses.

    given.py --schema FILE --documents FOLDER --folder FOLDER

FOLDER gets a file `schema.graphqls` or `schema.json`, the documents in `Documents`, and the refused ones in `Refused`.
The reason for each of these is printed. A file with types is not a document.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from graphql import (
    DocumentNode,
    ExecutableDefinitionNode,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    Source,
    concat_ast,
    parse,
)

from check_programs import errors_of, read_schema, without_foreign_directives

DEFER = "directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT"


def copy_schema(path: Path, documents: list[str], folder: Path) -> Path:
    text = path.read_text("utf-8-sig")
    is_json = text.lstrip().startswith("{")
    if not is_json and any("@defer" in each for each in documents) and "directive @defer" not in text:
        text += f"\n{DEFER}\n"  # Apollo's generator knows the directive.
    copy = folder / ("schema.json" if is_json else "schema.graphqls")
    copy.write_text(text, "utf-8")
    return copy


def refused(schema: GraphQLSchema, texts: dict[str, str]) -> dict[str, str]:
    """The reasons for which documents are refused, by their names."""
    reasons: dict[str, str] = {}
    parsed: dict[str, DocumentNode] = {}
    for name, text in texts.items():
        try:
            parsed[name] = without_foreign_directives(schema, parse(Source(text, name)))
        except GraphQLError as error:
            reasons[name] = str(error)
    # Without a document, others may lack its fragments.
    while errors := errors_of(schema, concat_ast(list(parsed.values()))):
        for error in errors:
            name = document_name(error)
            if parsed.pop(name, None):
                reasons[name] = str(error)
    return reasons


def document_name(error: GraphQLError) -> str:
    """The document in which the error is. A fragment is not wrong because an operation lacks its variables."""
    nodes = [each for each in error.nodes or [] if each.loc]
    if not nodes:
        sys.exit(f"no document is the reason for an error: {error}")
    node = next((each for each in nodes if isinstance(each, OperationDefinitionNode)), nodes[0])
    return node.loc.source.name


def is_document(text: str) -> bool:
    try:
        definitions = parse(text).definitions
    except GraphQLError:
        return True
    return any(isinstance(each, ExecutableDefinitionNode) for each in definitions)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--schema", type=Path, required=True)
    parser.add_argument("--documents", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    options = parser.parse_args()
    paths = sorted(options.documents.rglob("*.graphql"))
    texts = {str(each.relative_to(options.documents)): each.read_text("utf-8-sig") for each in paths}
    texts = {name: text for name, text in texts.items() if is_document(text)}
    schema = read_schema(str(copy_schema(options.schema, list(texts.values()), options.folder)))
    reasons = refused(schema, texts)
    for name, text in texts.items():
        path = options.folder / ("Refused" if name in reasons else "Documents") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    for name, reason in reasons.items():
        print(f"refused {name}: {reason}\n")
    print(f"{len(texts) - len(reasons)} of {len(texts)} documents are valid")
    valid = [parse(text) for name, text in texts.items() if name not in reasons]
    has_operation = any(isinstance(each, OperationDefinitionNode) for each in concat_ast(valid).definitions)
    if not has_operation:
        print("none of them has an operation")
    return 0 if has_operation else 1


if __name__ == "__main__":
    sys.exit(main())
