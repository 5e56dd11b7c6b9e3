"""Reads the generated Swift code, and writes the code that calls all of it.

Each struct becomes an object with a member for each property. The member has the name of the property for a field,
and `...Name` or `on Type` for a fragment or a type condition. An enum of type conditions is the member `kind()`.
It has one member for its case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from graphql import GraphQLEnumType, GraphQLInputObjectType, GraphQLSchema, is_list_type, is_non_null_type

FILE = "FILE"
"""The value of a variable that is a file."""

STRUCT = re.compile(r"(?:nonisolated )?(?:public )?struct (\S+?): .*\{$")
ENUM = re.compile(r"(?:nonisolated )?(?:public )?(?:enum|extension) (\S+?)(?:: .*)? \{$")
PROPERTY = re.compile(r"(?:public )?var (\S+): (.*) \{ _fields\.(\w+)\((\d+)(?:, of: \S+\.self)?\) \}$")
CASES = re.compile(r"(?:public )?var (\S+): (\w+) \{$")
CASE = re.compile(r"if let object: \S+ = _fields\.\w+\((\d+)\) \{ return \.(\S+)\(object\) \}$")
COMMENT = re.compile(r"/// The (?:fields of the fragment|object as) `(\w+)`(; nil if it is of another type)?\.$")
PARAMETER = re.compile(r"^(?:public )?init\((.*)\) \{$", re.S)


@dataclass
class Struct:
    path: str
    members: list[tuple[str, str]] = field(default_factory=list)
    """The name in the output, and the property."""
    slots: dict[str, str] = field(default_factory=dict)
    cases: str = ""
    """The property with the enum of type conditions."""
    case_members: list[tuple[str, str]] = field(default_factory=list)


def structs(text: str) -> list[Struct]:
    """The structs of a generated file for a document."""
    found: list[Struct] = []
    stack: list[Struct | str] = []
    meaning = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("///"):
            if match := COMMENT.match(line):
                meaning = ("on " if match[2] else "...") + match[1]
            continue
        if match := STRUCT.match(line):
            path = ".".join(each.path if isinstance(each, Struct) else each for each in stack[-1:] if each)
            struct = Struct((path + "." if path else "") + match[1])
            found.append(struct)
            stack.append(struct)
        elif match := ENUM.match(line):
            # A namespace.
            stack.append(match[1] if not stack else "")
        elif match := PROPERTY.match(line):
            assert isinstance(stack[-1], Struct)
            name = meaning or match[1].strip("`")
            stack[-1].members.append((name, match[1]))
            stack[-1].slots[match[4]] = name
        elif (match := CASES.match(line)) and stack and isinstance(stack[-1], Struct):
            stack[-1].cases = match[1]
            stack.append("")
        elif match := CASE.match(line):
            owner = next(each for each in reversed(stack) if isinstance(each, Struct))
            owner.case_members.append((match[2], owner.slots[match[1]]))
        elif line.endswith("{"):
            stack.append("")
        elif line == "}":
            stack.pop()
        if not line.startswith("@"):
            meaning = ""
    return [each for each in found if not is_root(each, text)]


def is_root(struct: Struct, text: str) -> bool:
    """Whether the struct is an operation, which has no fields of its own."""
    name = struct.path.removeprefix(namespace(text))
    kinds = r"GraphQL\.Typed(Query|Mutation|Subscription)"
    return "." not in name and re.search(rf"struct {re.escape(name)}: {kinds}", text) is not None


def namespace(text: str) -> str:
    match = re.search(r"^nonisolated extension (\w+) \{$", text, re.M)
    return match[1] + "." if match else ""


def shown(struct: Struct) -> str:
    lines = [f"extension {struct.path}: Shown {{", "  func show(_ output: inout Output) {"]
    lines.append("    output.writer.beginObject()")
    lines += [f'    output.add("{name}", {property})' for name, property in struct.members]
    if struct.cases:
        lines += ['    output.writer.key("kind()")', f"    switch {struct.cases} {{"]
        for case, name in struct.case_members:
            lines.append(f'    case .{case}(let object): output.add(case: "{name}", object)')
        lines += ['    case .other(let name): output.add("other", text: name)', "    }"]
    return "\n".join([*lines, "    output.writer.endObject()", "  }", "}", ""])


def operations(text: str) -> dict[str, str]:
    """The Swift types of the operations in a generated file, by their names."""
    found = {}
    prefix = namespace(text)
    pattern = r'struct (\w+): GraphQL\.Typed(?:Query|Mutation|Subscription) \{.*?text: "(?:query|mutation|subscription) (\w+)'
    for match in re.finditer(pattern, text, re.S):
        found[match[2]] = prefix + match[1]
    return found


class Parameter(NamedTuple):
    name: str
    """In the schema."""
    label: str
    type: str


class Values:
    """Writes values as Swift expressions."""

    def __init__(self, schema: GraphQLSchema, prefix: str, code: str) -> None:
        self.schema = schema
        self.prefix = prefix
        self.inputs: dict[str, list[Parameter]] = {}
        self.cases: dict[str, dict[str, str]] = {}
        for match in re.finditer(r"struct (\S+): GraphQL\.InputObject \{(.*?)\n  \}\n", code, re.S):
            self.inputs[match[1].strip("`")] = parameters(match[2])
        for match in re.finditer(r"enum (\S+): GraphQL\.OneOfInput \{(.*?)\n  \}\n", code, re.S):
            found = re.findall(r'case (\.\S+?)\(let value\): \("(\w+)", value\)', match[2])
            self.cases[match[1].strip("`")] = {name: case for case, name in found}

    def operation(
        self, type: str, initializer: list[Parameter], values: dict[str, Any], types: dict[str, Any]
    ) -> str:
        nulls = [f'.null("{each.name}")' for each in initializer if values.get(each.name, 0) is None]
        return self.call(type, initializer, values, types) + "".join(nulls)

    def input(self, type: str, initializer: list[Parameter], values: dict[str, Any], types: dict[str, Any]) -> str:
        nulls = [f".null(\\.{each.label})" for each in initializer if values.get(each.name, 0) is None]
        return self.call(type, initializer, values, types) + "".join(nulls)

    def call(self, type: str, initializer: list[Parameter], values: dict[str, Any], types: dict[str, Any]) -> str:
        parts = [
            f"{each.label}: {self.expression(types[each.name], values[each.name])}"
            for each in initializer if values.get(each.name) is not None
        ]
        return f"{type}({', '.join(parts)})"

    def expression(self, type: Any, value: Any) -> str:
        if value is None:
            return "nil"
        if is_non_null_type(type):
            type = type.of_type
        if is_list_type(type):
            return "[" + ", ".join(self.expression(type.of_type, each) for each in value) + "]"
        if isinstance(type, GraphQLEnumType):
            return f"{self.prefix}{type.name}(rawValue: {text(value)})"
        if isinstance(type, GraphQLInputObjectType):
            types = {name: each.type for name, each in type.fields.items()}
            if type.is_one_of:
                (name, inner), = value.items()
                return f"{self.prefix}{type.name}{self.cases[type.name][name]}({self.expression(types[name], inner)})"
            return self.input(self.prefix + type.name, self.inputs[type.name], value, types)
        if type.name == "Boolean":
            return "true" if value else "false"
        if value == FILE:
            return 'GraphQL.Upload(.file(GraphQL.URL(filePath: "/a")), fileName: "a")'
        if type.name in ("URL", "URI"):
            return f"GraphQL.URL(string: {text(value)})!"
        if isinstance(value, str):
            return text(value)
        return f"({value!r})"


def parameters(body: str) -> list[Parameter]:
    """The parameters of the first initialiser, with the names that they have in the schema."""
    start = body.index("init(") + len("init(")
    end = body.index(") {\n", start)
    names = {
        variable: name
        for name, variable in re.findall(r'(?:_fields\.set|variables\._add)\("(\w+)", (\S+?)\)', body)
    }
    result = []
    for part in re.split(r",\s*(?=[\w`]+(?: [\w`]+)?: )", body[start:end].strip()):
        if not part:
            continue
        words, type = part.split(": ", 1)
        label, variable = words.split(" ")[0], words.split(" ")[-1]
        result.append(Parameter(names[variable], label, type))
    return result


def initializer(code: str, type: str) -> list[Parameter]:
    """The parameters of an operation."""
    start = re.search(rf"struct {re.escape(type.split('.')[-1])}: GraphQL\.Typed", code).end()
    body = code[start : code.index(": GraphQL.SelectedRoot", start)]
    return parameters(body) if "variables._add(" in body else []


def text(value: str) -> str:
    """A string literal."""

    def is_plain(character: str) -> bool:
        return character.isascii() and character.isprintable() and character not in '"\\'

    plain = "".join(each if is_plain(each) else f"\\u{{{ord(each):x}}}" for each in value)
    return f'"{plain}"'


def enums(code: str, prefix: str) -> list[str]:
    names = re.findall(r"enum (\S+): GraphQL\.Enum", code)
    return [f"extension {prefix}{name}: Shown {{}}\n" for name in names]


def program(
    folder: Path, schema: GraphQLSchema, values: dict[str, tuple[dict[str, Any], dict[str, Any]]]
) -> dict[str, str]:
    """The files of the exerciser. `values` has the variables of each operation, and their types."""
    documents = sorted(folder.glob("*.graphql.swift"))
    code = "\n".join(each.read_text("utf-8") for each in sorted(folder.glob("*.swift")) if each not in documents)
    prefix = re.search(r"^nonisolated extension (\w+) \{$", code, re.M)[1] + "."
    writer = Values(schema, prefix, code)
    header = "import GraphQLRuntime\n\n"
    files = {"Enums+Shown.swift": header + "\n".join(enums(code, prefix))}
    calls = []
    for path in documents:
        text = path.read_text("utf-8")
        files[path.name.removesuffix(".graphql.swift") + "+Shown.swift"] = header + "\n".join(map(shown, structs(text)))
        for name, type in operations(text).items():
            if name in values:
                arguments, types = values[name]
                call = writer.operation(type, initializer(text, type), arguments, types)
                calls.append(f'  case "{name}": return try await values({call}, bodies, kept, stored)')
    files["Operations.swift"] = "\n".join([
        "import GraphQLRuntime\n",
        "func exercise(_ name: String, _ bodies: [String], _ kept: String?, _ stored: Stored) async throws -> String {",
        "  switch name {", *calls, '  default: fatalError("no operation has the name \\(name)")', "  }", "}", ""])
    return files
