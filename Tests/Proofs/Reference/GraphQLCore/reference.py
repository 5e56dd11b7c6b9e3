#!/usr/bin/env python3
"""Checks generated documents with graphql-core, the reference implementation in Python.

    reference.py validate --schema FILE [--schema FILE…] < documents.jsonl
    reference.py execute --schema FILE [--schema FILE…] < documents.jsonl > results.jsonl

Each input line is `{"name": "…", "document": "…", "variables": {…}}`, with an `operationName` if
the document has several operations, and `"unusedFragments": true` if it may have unused fragments. Blank lines are skipped.

validate  Prints `{"name": …, "errors": […]}` for each document that is rejected, for its
          syntax, by a validation rule or for the value of a variable.
execute   Prints `{"name": …, "response": {…}}` for each document, with made-up data.

The results keep the order of the input. Exit codes: 0 no error, 1 a document was rejected
or its response has errors, 2 wrong usage, or input that cannot be checked at all (also without
any document).
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, Callable, Iterator, NamedTuple
from zlib import crc32

from graphql import GraphQLSchema

from documents import Request, Unreadable, check, load_schema, read_request
from mock import respond

CHUNK = 50
"""Documents handed to a process at once."""


class Result(NamedTuple):
    failed: bool
    line: str | None
    """The printed text, if there is any."""


def validated(schema: GraphQLSchema, request: Request) -> Result:
    errors = check(schema, request).errors
    if not errors:
        return Result(False, None)
    return Result(True, _printed(request, "errors", [error.formatted for error in errors]))


def executed(schema: GraphQLSchema, request: Request) -> Result:
    result = check(schema, request)
    if result.errors or result.document is None or result.operation is None:
        response = {"errors": [error.formatted for error in result.errors]}
    else:
        response = respond(schema, result.document, result.operation, request.variables)
    return Result("errors" in response, _printed(request, "response", response))


def _printed(request: Request, key: str, value: Any) -> str:
    # Servers send both forms of non-ASCII text, so readers are tested with both.
    escaped = crc32(request.name.encode(errors="replace")) % 2 == 0
    text = json.dumps({"name": request.name, key: value}, ensure_ascii=escaped)
    try:
        text.encode()
    except UnicodeEncodeError:  # an unpaired surrogate, which only an escape can carry
        text = json.dumps({"name": request.name, key: value})
    return text


class Command(NamedTuple):
    check: Callable[[GraphQLSchema, Request], Result]
    participle: str


COMMANDS = {
    "validate": Command(validated, "rejected"),
    "execute": Command(executed, "with errors"),
}

# Set before the processes fork, so that each has the schema without building it again.
_schema: GraphQLSchema
_command: Command


def _check(lines: list[tuple[int, bytes]]) -> list[Result]:
    return [_command.check(_schema, read_request(line, number)) for number, line in lines]


def main(arguments: list[str]) -> int:
    global _schema, _command
    parser = argparse.ArgumentParser(
        prog="reference.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("--schema", action="append", required=True, metavar="FILE")
    options = parser.parse_args(arguments)
    _command = COMMANDS[options.command]

    count = failures = 0
    try:
        _schema = load_schema(options.schema)
        gc.freeze()  # the collector need not visit the schema repeatedly
        for result in _results(_numbered_lines()):
            count += 1
            failures += result.failed
            if result.line is not None:
                print(result.line)
    except Unreadable as error:
        print(f"reference: error: {error}", file=sys.stderr)
        return 2
    except BrokenProcessPool:
        print("reference: error: a process ended, perhaps because memory ran out", file=sys.stderr)
        return 2
    print(f"{count} documents, {failures} {_command.participle}", file=sys.stderr)
    if count == 0:
        print("reference: error: there is no document on standard input", file=sys.stderr)
        return 2
    return 1 if failures else 0


def _numbered_lines() -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(sys.stdin.buffer, start=1):
        if line.strip():
            yield number, line


def _results(lines: Iterator[tuple[int, bytes]]) -> Iterator[Result]:
    chunks = iter(lambda: list(islice(lines, CHUNK)), [])
    processes = min(os.cpu_count() or 1, 4)
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        for results in pool.map(_check, chunks):
            yield from results


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))
