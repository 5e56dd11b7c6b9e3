#!/usr/bin/env python3
"""Compares which documents this package accepts with those that graphql-core accepts.

    acceptance.py --schema FILE --executor PROGRAM [--count N] [--seed N] [DOCUMENT …]

The documents are random ones, those of the fuzzer's corpus, and the given ones. Three of four are changed
in up to six places, by a character or a token each. Both sides report whether the text is a document
(chapter 2) and, if all of it is executable, whether it is valid (chapter 5).
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from pathlib import Path

from graphql import ExecutableDefinitionNode, GraphQLError, build_schema, parse, validate

from differential import conditional_root_fields, executed
from generate import Generator

PIECES = [
    "\0", "\ufeff", '"""', '"', '""', '\\"""', "\\u{1F600}", "\\uD83D\\uDE00", "\\uD800", "\\u{110000}",
    "\\u00e9", "\\u{}", "\\q", "\\n", "0", "00", "-0", "-", "1.", "1.0", "1e", "1e5", "1E+5", ".5",
    "1e999", "0x1", "1_0", "123abc", "#", "# é\r", "\r", "\r\n", "\n", ",", "...", "..", ".", "@", "&",
    "|", "!", "$", "(", ")", "[", "]", "{", "}", "=", ":", "on", "null", "true", "query", "mutation",
    "subscription", "fragment", "type", "schema", "extend", "directive", "repeatable", "implements",
    "\u2028", "\u00a0", "é", "名", "\x7f", "\x80", "\t", " ", "__typename", "@skip(if: true)",
    "@include(if: false)", "... on", "fragment on on on { a }", "{ __typename }", '"\\u0041"', "$a", "a",
    "?", "%", "`", "'", "~", "\\", ";", "/", "*", "+", "<", ">", "^",
]
TOKEN = re.compile(r"\.\.\.|[_A-Za-z]\w*|\d+|\s+|.", re.S)


def changed(text: str, choose: random.Random) -> str:
    for _ in range(choose.randint(1, 6) if choose.random() < 0.4 else 1):
        way = choose.randrange(5)
        if way < 2:
            parts = TOKEN.findall(text)
        else:
            parts = list(text)
        at = choose.randrange(len(parts)) if parts else 0
        if way in (0, 2) or not parts:
            parts.insert(at, choose.choice(PIECES))
        elif way in (1, 3):
            del parts[at]
        else:
            other = choose.randrange(len(parts))
            parts[at], parts[other] = parts[other], parts[at]
        text = "".join(parts)
    return text


def documents(schema, count: int, seed: int, files: list[Path]):
    texts = [file.read_bytes().decode("utf-8", "replace") for file in files]
    for number in range(count):
        choose = random.Random(seed * 1_000_003 + number)
        if texts and number % 2:
            text = choose.choice(texts)
        else:
            text = Generator(schema, seed * 1_000_003 + number).request("")["document"]
        yield changed(text, choose) if number % 4 else text


def of_graphql_core(schema, text: str) -> dict:
    try:
        document = parse(text)
    except (GraphQLError, RecursionError):
        return {"isDocument": False}
    if not all(isinstance(each, ExecutableDefinitionNode) for each in document.definitions):
        return {"isDocument": True}
    try:
        errors = validate(schema, document) or conditional_root_fields(document)
    except GraphQLError as error:  # a rule of graphql-core that may give up
        errors = [error]
    return {"isDocument": True, "isValid": not errors}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--schema", required=True)
    parser.add_argument("--executor", required=True)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()

    with open(options.schema, encoding="utf-8") as file:
        schema = build_schema(file.read())
    texts = list(documents(schema, options.count, options.seed, options.files))
    results = executed(
        [options.executor, "--check", options.schema], [{"document": text} for text in texts])

    outcomes: Counter[str] = Counter()
    failed = 0
    for text, ours in zip(texts, results):
        theirs = of_graphql_core(schema, text)
        said = ours.pop("errors", [])
        if ours != theirs:
            failed += 1
            if failed <= 10:
                print(f"FAILED {json.dumps(text)}\ngraphql-core: {theirs}\nours:         {ours} {said}")
        elif not theirs["isDocument"]:
            outcomes["no documents"] += 1
        else:
            outcomes[{None: "type system", True: "valid", False: "invalid"}[theirs.get("isValid")]] += 1
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())))
    print(f"{len(texts) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
