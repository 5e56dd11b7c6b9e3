"""Creates random programs: the operations and fragments of a module, in one or several documents.

A program is a list of texts. Most are valid; which are not, graphql-core decides. Unlike the requests of
generate.py, fragments are within fragments, in other documents and used several times, type conditions are
within each other, and fields of one name are selected at several places of an object.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from graphql import GraphQLSchema, is_abstract_type, is_composite_type, is_object_type, is_required_argument

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Differential"))

from generate import ABSENT, Generator, named  # noqa: E402

DEEPEST = 6


class Fragment:
    def __init__(self, name: str, type: Any) -> None:
        self.name = name
        self.type = type
        self.text = ""
        self.variables: dict[str, tuple[str, Any, str]] = {}


class ProgramGenerator(Generator):
    """One random program. With a suffix, its names differ from those of programs with other suffixes."""

    def __init__(self, schema: GraphQLSchema, seed: int, suffix: str = "") -> None:
        super().__init__(schema, seed)
        self.suffix = suffix
        self.budget = self.random.randint(4, 60)
        self.known: list[Fragment] = []
        self.variable_count = 0
        self.values: dict[str, Any] = {}

    def program(self) -> list[str]:
        operations = []
        for number in range(self.random.choice([1, 1, 1, 2, 3])):
            self.budget = max(self.budget, 6)
            name = f"Other{number}" if number else "Generated"
            operations.append(self.operation(name + self.suffix))
        definitions = operations + [fragment.text for fragment in self.known]
        count = self.random.choice([1, 1, 2, 3])
        documents: list[list[str]] = [[] for _ in range(count)]
        for definition in definitions:
            self.random.choice(documents).append(definition)
        if self.chance(0.3):
            self.random.choice(documents).reverse()
        return ["\n".join(document) for document in documents if document]

    def operation(self, name: str) -> str:
        roots = {
            "query": self.schema.query_type,
            "mutation": self.schema.mutation_type,
            "subscription": self.schema.subscription_type,
        }
        kinds = [kind for kind in ["query"] * 8 + ["mutation"] * 3 + ["subscription"] if roots[kind]]
        kind = self.random.choice(kinds)
        root = roots[kind]
        self.variables = {}
        if kind == "subscription":
            selection = "{ " + self.field(root, self.random.choice(list(root.fields)), 1) + " }"
        else:
            selection = self.selection(root, 0)
        declared = ", ".join(
            f"${name}: {type}{default}" for name, (type, _, default) in self.variables.items())
        return f"{kind} {name}" + (f"({declared})" if declared else "") + " " + selection

    # Selections

    def selection(self, type: Any, depth: int, is_query_root: bool = False) -> str:
        if depth > DEEPEST or self.budget <= 0:
            leaves = [
                name for name, field in getattr(type, "fields", {}).items()
                if not is_composite_type(named(field.type))
            ]
            last = self.field(type, self.random.choice(leaves), depth) if leaves else "__typename"
            return "{ " + last + " }"
        count = self.random.randint(1, 5 if depth < 2 else 3)
        return "{ " + " ".join(self.part(type, depth) for _ in range(count)) + " }"

    def part(self, type: Any, depth: int) -> str:
        if self.chance(0.55 if is_abstract_type(type) else 0.25):
            return self.fragment(type, depth)
        if self.chance(0.08) or not getattr(type, "fields", None):
            alias = f"kind{self.next_alias()}: " if self.chance(0.2) else ""
            return f"{alias}__typename{self.conditions()}"
        return self.field(type, self.choice_of_field(type, depth), depth)

    def fragment(self, type: Any, depth: int) -> str:
        """An inline fragment or a spread, whose type condition may be any that is possible."""
        condition = self.random.choice(self.conditions_within(type))
        if self.chance(0.5):
            on = "" if condition is type and self.chance(0.5) else f" on {condition.name}"
            self.budget -= 1
            return f"...{on}{self.conditions()} " + self.selection(condition, depth + 1)
        suitable = [each for each in self.known if each.text and each.type is condition]
        if suitable and self.chance(0.5):
            fragment = self.random.choice(suitable)
        else:
            fragment = self.new_fragment(condition, depth)
        self.variables |= fragment.variables
        return f"...{fragment.name}{self.conditions()}"

    def new_fragment(self, type: Any, depth: int) -> Fragment:
        fragment = Fragment(f"F{len(self.known)}{self.suffix}", type)
        self.known.append(fragment)
        outer, self.variables = self.variables, {}
        selection = self.selection(type, depth + 1)
        fragment.variables, self.variables = self.variables, outer
        fragment.text = f"fragment {fragment.name} on {type.name} {selection}"
        return fragment

    def conditions_within(self, type: Any) -> list[Any]:
        """The type, those of its objects, and those that its objects may have."""
        objects = self.schema.get_possible_types(type) if is_abstract_type(type) else [type]
        if len(objects) > 8:
            objects = self.random.sample(list(objects), 8)
        result = [type, *objects]
        for each in self.schema.type_map.values():
            if is_abstract_type(each) and any(self.schema.is_sub_type(each, object) for object in objects):
                result.append(each)
        return result

    def field(self, type: Any, name: str, depth: int) -> str:
        self.budget -= 1
        field = type.fields[name]
        arguments = self.arguments(field.args)
        composite = is_composite_type(named(field.type))
        alias = ""
        if arguments or self.chance(0.2):
            alias = f"{self.random.choice('abc')}{self.next_alias()}: "
        elif not composite and not is_object_type(type) and self.chance(0.3):
            alias = f"{name}_{type.name}: "
        elif "id" in type.fields and name != "id" and self.chance(0.01):
            alias = "id: "
        text = f"{alias}{name}{arguments}{self.conditions()}"
        if composite:
            text += " " + self.selection(named(field.type), depth + 1)
            if self.chance(0.1):  # the same field, with another selection
                text += f" {alias}{name}{arguments} " + self.selection(named(field.type), depth + 1)
        return text

    def choice_of_field(self, type: Any, depth: int) -> str:
        if self.chance(0.25):  # fields without arguments are not given aliases
            names = [
                name for name, field in type.fields.items()
                if not any(is_required_argument(each) for each in field.args.values())
                and (depth <= DEEPEST or not is_composite_type(named(field.type)))
            ]
            if names:
                return self.random.choice(names)
        return super().choice_of_field(type, depth)

    def next_alias(self) -> int:
        self.aliases += 1
        return self.aliases

    # Variables

    def conditions(self) -> str:
        if not self.chance(0.08):
            return ""
        directive = self.random.choice(["skip", "include"])
        value = self.random.choice(["true", "false"])
        if self.chance(0.6):
            type = self.random.choice(["Boolean!", "Boolean! = ", "Boolean = "])
            default = ""
            if type.endswith("= "):
                type, default = type[:-3], " = " + self.random.choice(["true", "false"])
            value = self.declared(type, self.random.choice([True, False]), default)
        text = f" @{directive}(if: {value})"
        if self.chance(0.1):
            text += f" @{'include' if directive == 'skip' else 'skip'}(if: {self.random.choice(['true', 'false'])})"
        return text

    def variable(self, type: str, value: Any) -> str:
        default = " = 3" if type == "Int" and self.chance(0.5) else ""
        return self.declared(type, value, default)

    def declared(self, type: str, value: Any, default: str) -> str:
        name = f"v{self.variable_count}"
        self.variable_count += 1
        if (default or not type.endswith("!")) and self.chance(0.3):
            value = ABSENT
        self.variables[name] = (type, value, default)
        self.values[name] = value
        return f"${name}"
