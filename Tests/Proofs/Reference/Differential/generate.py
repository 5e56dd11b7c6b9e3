"""Creates random valid requests for a schema."""

from __future__ import annotations

import random
from typing import Any, Callable

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLObjectType,
    GraphQLSchema,
    is_abstract_type,
    is_composite_type,
    is_list_type,
    is_non_null_type,
    is_required_argument,
    is_required_input_field,
    is_specified_scalar_type,
)

WORDS = ["a", "hats", "ring twice", "café \U0001f6d2", 'say "x"', "1"]


class Generator:
    """One random request."""

    def __init__(self, schema: GraphQLSchema, seed: int) -> None:
        self.schema = schema
        self.random = random.Random(seed)
        self.variables: dict[str, tuple[str, Any, str]] = {}  # name -> type, value, default
        self.fragments: dict[str, str] = {}
        self.budget = self.random.randint(4, 40)
        self.aliases = 0

    def request(self, name: str) -> dict[str, Any]:
        kinds = ["query"] * 8 + ["mutation"] * 3 + ["subscription"]
        kind = self.random.choice(kinds)
        root = {
            "query": self.schema.query_type,
            "mutation": self.schema.mutation_type,
            "subscription": self.schema.subscription_type,
        }[kind]
        if kind == "subscription":
            field = self.random.choice(list(root.fields))
            self.budget = max(self.budget, 8)
            selection = "{ " + self.field(root, field, 1) + " }"
        else:
            selection = self.selection(root, 0, is_query_root=kind == "query")
        declared = ", ".join(
            f"${name}: {type}{default}" for name, (type, _, default) in self.variables.items()
        )
        head = kind + " Generated" + (f"({declared})" if declared else "")
        document = head + " " + selection
        for text in self.fragments.values():
            document += "\n" + text
        request = {"name": name, "document": document}
        values = {
            name: value
            for name, (type, value, default) in self.variables.items()
            if value is not ABSENT
        }
        if values:
            request["variables"] = values
        if self.chance(0.2):
            request["document"] += "\nquery Other { __typename }"
            request["operationName"] = "Generated"
        return request

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    # Selections

    def selection(self, type: Any, depth: int, is_query_root: bool = False) -> str:
        parts: list[str] = []
        for _ in range(self.random.randint(1, 5)):
            parts.append(self.part(type, depth))
        if is_query_root and self.chance(0.1):
            parts.append(self.introspection())
        parts = [part for part in parts if part] or ["__typename"]
        return "{ " + " ".join(parts) + " }"

    def part(self, type: Any, depth: int) -> str:
        if is_abstract_type(type) or (depth > 0 and self.chance(0.15)):
            possible = [type]
            if is_abstract_type(type):
                possible = list(self.schema.get_possible_types(type)) + [type]
            condition = self.random.choice(possible)
            if self.chance(0.7) or depth > 6:
                if is_abstract_type(condition) and not getattr(condition, "fields", None):
                    return "__typename"
                on = "" if condition is type and self.chance(0.3) else f" on {condition.name}"
                return f"...{on}{self.conditions()} " + self.fields(condition, depth)
            name = f"F{len(self.fragments)}"
            self.fragments[name] = ""
            body = self.fields(condition, depth)
            self.fragments[name] = f"fragment {name} on {condition.name} {body}"
            return f"...{name}{self.conditions()}"
        if self.chance(0.07):
            return "__typename"
        return self.field(type, self.choice_of_field(type, depth), depth)

    def fields(self, type: Any, depth: int) -> str:
        if not getattr(type, "fields", None):
            return "{ __typename }"
        names = [self.choice_of_field(type, depth) for _ in range(self.random.randint(1, 3))]
        return "{ " + " ".join(self.field(type, name, depth) for name in names) + " }"

    def choice_of_field(self, type: Any, depth: int) -> str:
        leaves = [n for n, f in type.fields.items() if not is_composite_type(named(f.type))]
        if (self.budget <= 0 or depth > 6) and leaves:
            return self.random.choice(leaves)
        return self.random.choice(list(type.fields))

    def field(self, type: Any, name: str, depth: int) -> str:
        self.budget -= 1
        field = type.fields[name]
        arguments = self.arguments(field.args)
        # A separate alias wherever two selections may differ.
        alias = ""
        composite = is_composite_type(named(field.type))
        if arguments or composite or is_abstract_type(type) or self.chance(0.2):
            self.aliases += 1
            alias = f"{self.random.choice('abc')}{self.aliases}: "
        text = f"{alias}{name}{arguments}{self.conditions()}"
        if composite:
            text += " " + self.selection(named(field.type), depth + 1)
        else:
            # Fields of one name and different types conflict between possible types.
            text = text if alias else f"{name}_{type.name}: {text}"
        if self.chance(0.05):
            text += " " + text
        return text

    def conditions(self) -> str:
        if not self.chance(0.08):
            return ""
        directive = self.random.choice(["skip", "include"])
        value = self.random.choice(["true", "false"])
        if self.chance(0.5):
            value = self.variable("Boolean!", self.random.choice([True, False]))
        return f" @{directive}(if: {value})"

    def introspection(self) -> str:
        # The descriptions of the built-in types differ.
        names = [
            name
            for name, type in self.schema.type_map.items()
            if not name.startswith("__") and not is_specified_scalar_type(type)
        ]
        type = self.random.choice(names)
        argument = "(includeDeprecated: true)" if self.chance(0.5) else ""
        self.aliases += 1
        return f"""t{self.aliases}: __type(name: "{type}") {{ kind name description isOneOf
          specifiedByURL
          fields{argument} {{ name isDeprecated deprecationReason
            args {{ name type {{ kind name ofType {{ kind name }} }} }}
            type {{ kind name ofType {{ kind name ofType {{ name }} }} }} }}
          inputFields {{ name }} interfaces {{ name }}
          enumValues{argument} {{ name description isDeprecated }} }}"""

    # Values

    def arguments(self, args: dict[str, Any]) -> str:
        parts = []
        for name, argument in args.items():
            if is_required_argument(argument) or self.chance(0.3):
                parts.append(f"{name}: {self.place(argument.type, 0)}")
        return f"({', '.join(parts)})" if parts else ""

    def place(self, type: GraphQLInputType, depth: int) -> str:
        """A literal, or a variable in its place."""
        if self.chance(0.25):
            return self.variable(str(type), self.json(type, depth))
        return self.literal(type, depth)

    def variable(self, type: str, value: Any) -> str:
        name = f"v{len(self.variables)}"
        default = ""
        if not type.endswith("!") and self.chance(0.2):
            value = ABSENT
        if type == "Int" and self.chance(0.5):
            default = " = 3"
        self.variables[name] = (type, value, default)
        return f"${name}"

    def literal(self, type: GraphQLInputType, depth: int) -> str:
        if not is_non_null_type(type) and self.chance(0.07):
            return "null"
        return self.literal_of(bare(type), depth)

    def literal_of(self, type: GraphQLInputType, depth: int) -> str:
        if is_list_type(type):
            if self.chance(0.2):
                return self.literal_of(bare(type.of_type), depth + 1)
            count = self.random.randint(0, 2)
            return "[" + ", ".join(self.element(type.of_type, depth) for _ in range(count)) + "]"
        if isinstance(type, GraphQLEnumType):
            return self.random.choice(list(type.values))
        if isinstance(type, GraphQLInputObjectType):
            return self.object(type, depth, self.element, "{", "}", lambda key: key)
        return self.scalar_literal(type.name)

    def element(self, type: GraphQLInputType, depth: int) -> str:
        if not is_non_null_type(type) and self.chance(0.1):
            return "null"
        if self.chance(0.1):
            value = self.json(type, depth + 1)
            return self.variable(str(type), value)
        return self.literal_of(bare(type), depth + 1)

    def object(
        self,
        type: GraphQLInputObjectType,
        depth: int,
        make: Callable[[Any, int], Any],
        opening: str,
        closing: str,
        key: Callable[[str], str],
    ) -> str:
        entries = {name: make(field.type, depth) for name, field in self.chosen(type, depth)}
        return opening + ", ".join(f"{key(name)}: {text}" for name, text in entries.items()) + closing

    def chosen(self, type: GraphQLInputObjectType, depth: int) -> list[tuple[str, Any]]:
        if type.is_one_of:
            name = self.random.choice(list(type.fields))
            field = type.fields[name]
            return [(name, NonNull(field.type))]
        return [
            (name, field)
            for name, field in type.fields.items()
            if is_required_input_field(field) or (depth < 4 and self.chance(0.4))
        ]

    def scalar_literal(self, name: str) -> str:
        if name == "Int":
            return self.random.choice(["0", "-1", "7", "2147483647", "-2147483648"])
        if name == "Float":
            return self.random.choice(["0", "-1.5", "1e3", "0.125"])
        if name == "Boolean":
            return self.random.choice(["true", "false"])
        if name == "ID":
            return self.random.choice(['"x"', "12", '"gid://a/b"'])
        text = self.random.choice(WORDS).replace('"', '\\"')
        if name == "String":
            return f'"{text}"'
        return self.random.choice([f'"{text}"', "5", "true", "[1, { a: null }]", "WORD", "2.5"])

    def json(self, type: GraphQLInputType, depth: int) -> Any:
        if not is_non_null_type(type) and self.chance(0.1):
            return None
        type = bare(type)
        if is_list_type(type):
            if self.chance(0.2):
                item = self.json(type.of_type, depth + 1)
                return [None] if item is None else item
            return [self.json(type.of_type, depth + 1) for _ in range(self.random.randint(0, 2))]
        if isinstance(type, GraphQLEnumType):
            return self.random.choice(list(type.values))
        if isinstance(type, GraphQLInputObjectType):
            return {
                name: self.json(field.type, depth + 1) for name, field in self.chosen(type, depth)
            }
        return self.random.choice(
            {
                "Int": [0, -1, 7, 2.0, 2147483647],
                "Float": [0, 1.5, -2, 1000.0],
                "Boolean": [True, False],
                "ID": ["x", 12, "gid://a/b"],
                "String": WORDS,
            }.get(type.name, WORDS + [5, True, [1, {"a": None}], 2.5])
        )


class NonNull:
    """Represents a field whose value must not be null."""

    def __init__(self, type: GraphQLInputType) -> None:
        from graphql import GraphQLNonNull

        self.type = type if is_non_null_type(type) else GraphQLNonNull(type)


ABSENT = object()


def bare(type: Any) -> Any:
    return type.of_type if is_non_null_type(type) else type


def named(type: Any) -> Any:
    while hasattr(type, "of_type"):
        type = type.of_type
    return type
