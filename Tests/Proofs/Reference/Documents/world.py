"""A service whose responses do not contradict each other: a field of an object has one value, in whatever operation and
under whatever response name it is selected. So what a store has kept of several responses gives each of them again."""

from __future__ import annotations

import json
import random
from typing import Any

from graphql import (
    GraphQLSchema,
    execute,
    get_named_type,
    get_nullable_type,
    is_abstract_type,
    is_enum_type,
    is_list_type,
    is_non_null_type,
    is_object_type,
    print_ast,
)
from graphql.error import GraphQLError
from graphql.language import DocumentNode

from completion import Completion
from mock import ENDINGS, FLOATS, INTS
from scalars import FORMATS

PAGING = {"first", "after", "last", "before"}
# The member of an object with its identity: that of an entity, or the place of another object.
IDENTITY = "@"
# The member of a connection with the names of its selected fields.
SELECTED = "@selected"


class World:
    def __init__(self, schema: GraphQLSchema, completion: Completion, seed: int) -> None:
        self.schema = schema
        self.completion = completion
        self.seed = seed

    def respond(self, document: DocumentNode, values: dict[str, Any]) -> dict[str, Any] | None:
        """The data of a response to a query; None if it requests a page that is not at an end of its list."""
        self.has_other_pages = False
        # The selected fields of connections without an argument for the page.
        self.whole: list[set[str]] = []
        result = execute(self.schema, document, variable_values=values, field_resolver=self.resolve)
        if result.errors:
            raise GraphQLError(f"graphql-core cannot execute {print_ast(document)}: {result.errors[0]}")
        return None if self.has_other_pages else result.data

    @property
    def is_kept(self) -> bool:
        """Whether a store has all of the last response. If no argument selects a page, it does not keep `pageInfo` alone."""
        return all(selected & {"edges", "nodes"} or "pageInfo" not in selected for selected in self.whole)

    def resolve(self, source: Any, info: Any, **arguments: Any) -> Any:
        if source and SELECTED in source:
            source[SELECTED].add(info.field_name)
        if source and info.field_name in source:
            return source[info.field_name]
        around = source[IDENTITY] if source else info.parent_type.name
        if is_connection(info.return_type, info.parent_type.fields[info.field_name].args):
            is_whole = PAGING.isdisjoint(arguments)
            paging = {name: arguments.pop(name, None) for name in PAGING}
            type = get_named_type(info.return_type)
            page = self.connection(type, f"{around}.{info.field_name}({text(arguments)})", paging)
            if is_whole:
                self.whole.append(page[SELECTED])
            return page
        place = f"{around}.{info.field_name}({text(arguments)})"
        return self.value(info.return_type, place)

    def value(self, type: Any, place: str) -> Any:
        choose = random.Random(f"{self.seed} {place}")
        if not is_non_null_type(type) and choose.random() < 0.15:
            return None
        type = get_nullable_type(type)
        if is_list_type(type):
            count = choose.choice([0, 1, 1, 2, 3])
            return [self.value(type.of_type, f"{place}[{index}]") for index in range(count)]
        if is_enum_type(type):
            return choose.choice(list(type.values))
        if is_abstract_type(type):
            type = choose.choice(self.schema.get_possible_types(type))
        return self.object(type, place, choose) if is_object_type(type) else leaf(type.name, choose)

    def connection(self, type: Any, place: str, paging: dict[str, Any]) -> dict[str, Any]:
        """A page at the start or the end of a list, by the rules of Relay's specification."""
        count = random.Random(f"{self.seed} {place}").randrange(6)
        first, last = paging["first"], paging["last"]
        is_plain = paging["after"] is None and paging["before"] is None and (first is None or last is None)
        if not is_plain or min(first or 0, last or 0) < 0:
            self.has_other_pages = True
        start = max(count - last, 0) if last is not None else 0
        end = min(count, first) if first is not None else count
        indices = range(start, max(start, end))
        cursors = [f"{place} {index}" for index in indices]
        page = {
            "hasPreviousPage": start > 0, "hasNextPage": end < count,
            "startCursor": cursors[0] if cursors else None, "endCursor": cursors[-1] if cursors else None}
        members: dict[str, Any] = {"__typename": type.name, IDENTITY: place, SELECTED: set()}
        info = get_named_type(type.fields["pageInfo"].type)
        members["pageInfo"] = {"__typename": info.name, IDENTITY: f"{place} {text(page)}", **page}
        if "nodes" in type.fields:
            node = get_named_type(type.fields["nodes"].type)
            members["nodes"] = [self.node(node, f"{place}[{index}]") for index in indices]
        if "edges" in type.fields:
            edge = get_named_type(type.fields["edges"].type)
            node = get_named_type(edge.fields["node"].type)
            members["edges"] = [
                {"__typename": edge.name, IDENTITY: cursor, "cursor": cursor, "node": self.node(node, f"{place}[{index}]")}
                for index, cursor in zip(indices, cursors)]
        return members

    def node(self, type: Any, place: str) -> Any:
        choose = random.Random(f"{self.seed} {place}")
        if is_abstract_type(type):
            type = choose.choice(self.schema.get_possible_types(type))
        return self.object(type, place, choose) if is_object_type(type) else leaf(type.name, choose)

    def object(self, type: Any, place: str, choose: random.Random) -> dict[str, Any]:
        """Objects with a key are few, so that many places lead to each of them."""
        number = choose.randrange(4)
        key = {name: self.part_of_key(type, name, number) for name in self.completion.key(type)}
        identity = f"{type.name}{json.dumps(key)}" if key else place
        return {"__typename": type.name, IDENTITY: identity, **key}

    def part_of_key(self, type: Any, name: str, number: int) -> Any:
        field = type.fields[name].type
        if get_named_type(field).name in ("ID", "String"):
            return f"{type.name} {number}"
        return self.value(field, f"{type.name} {number}.{name}") if is_non_null_type(field) else None


def text(arguments: dict[str, Any]) -> str:
    return json.dumps(arguments, sort_keys=True, default=str)


def leaf(type: str, choose: random.Random) -> Any:
    if type == "Int":
        return choose.choice(INTS)
    if type == "Float":
        return choose.choice(FLOATS)
    if type == "Boolean":
        return choose.random() < 0.5
    if type in FORMATS:
        return choose.choice(FORMATS[type].samples)
    return f"{choose.randrange(1000)}" + choose.choice(ENDINGS)


def is_connection(type: Any, arguments: dict[str, Any]) -> bool:
    fields = getattr(get_named_type(type), "fields", {})
    return "pageInfo" in fields and ("edges" in fields or "nodes" in fields) and not PAGING.isdisjoint(arguments)
