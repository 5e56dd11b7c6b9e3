"""Finds the GraphQL texts in the tests of graphql-js, which are string literals of TypeScript."""

from __future__ import annotations

import re
from typing import Iterator

TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`""", re.S)

# The functions whose argument is a document, a value or a type. Other literals between single quotation marks are
# names and messages; those between backticks are nearly always documents.
OF_DOCUMENT = re.compile(
    r"\b(parse|parseDocument|expectSyntaxError|expectParser|buildSchema|Source|expectStripped|executeQuery|expectValid"
    r"|expectErrors|expectValidSDL|expectSDLErrors|execute|graphqlSync|expectPassing|doc|document|query|source|sdl)"
    r"(\(|:| =)\s*$")
OF_VALUE = re.compile(
    r"\b(parseValue|parseConstValue|lexOne|lexSecond|expectValueFrom|coerceInputLiteral|expectSortedValue"
    r"|expectStrippedString|valueFromAST|inputValueNode)\(\s*$")
OF_TYPE = re.compile(r"\b(parseType|typeNode)\(\s*$")
ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r?\n|.)", re.S)
LETTERS = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}


def unescaped(match: re.Match[str]) -> str:
    escape = match[1]
    if len(escape) > 1 and escape[0] in "ux":
        return chr(int(escape[1:].strip("{}"), 16))
    return LETTERS.get(escape, escape)


def literals(source: str) -> Iterator[tuple[int, str]]:
    """The line and the document of each literal. A value or type becomes a document with it."""
    for token in TOKEN.finditer(source):
        quote, text = token[0][0], token[0][1:-1]
        before = source[max(0, token.start() - 80) : token.start()]
        if quote == "/" or (quote == "`" and ("${" in text or re.search(r"\bit\(\s*$", before))):
            continue
        wrapped = "%s"
        if OF_VALUE.search(before):
            wrapped = "{ field(argument: %s) }"
        elif OF_TYPE.search(before):
            wrapped = "query ($variable: %s) { field }"
        elif quote != "`" and not OF_DOCUMENT.search(before):
            continue
        if not before.endswith("String.raw"):
            text = ESCAPE.sub(unescaped, text)
        try:
            # Two escapes may be the halves of one character. A single half is not a character.
            text = text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            continue
        yield source.count("\n", 0, token.start()) + 1, wrapped.replace("%s", text)
