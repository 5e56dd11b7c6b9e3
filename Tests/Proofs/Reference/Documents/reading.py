"""Which values a reader of typed operations sees in a response, computed from the document that is sent.

The rules are those of Documentation/Notes/TypedOperations.md. The result has the form that exerciser.py gives to the
properties of the generated structs.
"""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentSpreadNode,
    GraphQLSchema,
    get_named_type,
    is_abstract_type,
    is_composite_type,
    is_object_type,
    print_ast,
)

from completion import AddedField, AddedSpread, response_name, root_type

class Source(NamedTuple):
    set: Any
    is_own: bool
    """Whether its type conditions are properties of the object."""
    is_included: bool
    conditions: frozenset[str]
    """The directives that decide whether it is included, except where they decide about the whole object."""


class Reader:
    """Reads responses to one operation."""

    def __init__(
        self, schema: GraphQLSchema, document: DocumentNode, variables: dict[str, Any], leaf: Callable[[Any, Any], Any],
    ) -> None:
        self.schema = schema
        self.operation, *fragments = document.definitions
        self.fragments = {each.name.value: each for each in fragments}
        self.leaf = leaf
        self.variables = dict(variables)
        for definition in self.operation.variable_definitions:
            name = definition.variable.name.value
            if name not in variables and definition.default_value is not None:
                self.variables[name] = getattr(definition.default_value, "value", None)

    def read(self, data: dict[str, Any]) -> Any:
        return self.whole(root_type(self.schema, self.operation), self.operation, data)

    def whole(self, type: Any, definition: Any, object: dict[str, Any]) -> dict[str, Any]:
        return self.view([type], [Source(definition.selection_set, True, True, frozenset())], object)

    def view(self, known: list[Any], sources: list[Source], object: dict[str, Any]) -> dict[str, Any]:
        entries = Entries()
        for source in sources:
            self.walk(source, known, entries)
        runtime = known[-1] if is_object_type(known[-1]) else self.schema.type_map.get(object["__typename"])
        result: dict[str, Any] = {}
        for key, (name, sets, is_included) in entries.fields.items():
            value = object[key] if is_included else None
            if key in entries.written:
                result[plain(key)] = self.value(name, known, sets, value)
        for type, sets in entries.cases.items():
            condition = self.schema.type_map[type]
            if not self.is_possible(condition, known):
                continue
            applies = any(each.is_included for each in sets) and self.has(runtime, condition)
            around = [each._replace(is_own=False) for each in sources]
            result[f"on {type}"] = self.view([*known, condition], around + relative(sets), object) if applies else None
        for name, is_included in entries.fragments.items():
            fragment = self.fragments[name]
            condition = self.schema.type_map[fragment.type_condition.name.value]
            is_certain = self.is_certain(condition, known)
            if not self.is_possible(condition, known):
                continue
            applies = is_included and (is_certain or self.has(runtime, condition))
            result[f"...{name}"] = self.whole(condition, fragment, object) if applies else None
        for label, condition, source in entries.deferred.values():
            type = self.schema.type_map[condition] if condition else known[-1]
            if not self.is_possible(type, known):
                continue
            applies = source.is_included and (self.is_certain(type, known) or self.has(runtime, type))
            name = plain("deferred" + "".join(each for each in label if each.isascii() and each.isalnum()))
            result[name] = self.view([*known, type], relative([source]), object) if applies else None
        cases = [each for each in entries.cases if self.is_possible(self.schema.type_map[each], known)]
        if cases and all(is_object_type(self.schema.type_map[each]) for each in cases):
            if entries.has_typename:
                applying = [f"on {each}" for each in cases if result[f"on {each}"] is not None]
                name = applying[0] if applying else "other"
                result["kind()"] = {name: result[name] if applying else object["__typename"]}
        return result

    def walk(self, source: Source, known: list[Any], entries: Entries) -> None:
        for each in source.set.selections:
            conditions = source.conditions | {
                print_ast(directive) for directive in each.directives if directive.name.value in ("skip", "include")
            }
            inner = Source(
                getattr(each, "selection_set", None), True, source.is_included and self.passes(each), conditions)
            if isinstance(each, FieldNode):
                entries.add_field(each, inner)
            elif isinstance(each, FragmentSpreadNode):
                if isinstance(each, AddedSpread):
                    continue
                name = each.name.value
                entries.fragments[name] = entries.fragments.get(name, False) or inner.is_included
            else:
                type = each.type_condition and each.type_condition.name.value
                label = defer_label(each)
                if label is not None:
                    if source.is_own:
                        entries.deferred[id(inner.set)] = (label, type, inner)
                elif type is None or self.is_certain(self.schema.type_map[type], known):
                    self.walk(inner._replace(is_own=source.is_own), known, entries)
                elif source.is_own:
                    entries.cases.setdefault(type, []).append(inner)

    def is_certain(self, type: Any, known: list[Any]) -> bool:
        return any(each is type or self.has(each, type) for each in known)

    def is_possible(self, type: Any, known: list[Any]) -> bool:
        """Whether an object type has a type and all known ones."""
        return self.is_certain(type, known) or any(
            all(self.has(each, other) for other in [*known, type])
            for each in self.schema.type_map.values() if is_object_type(each)
        )

    def has(self, type: Any, condition: Any) -> bool:
        """Whether objects of a type have another type. A type that the schema lacks has none."""
        if type is None:
            return False
        return type is condition or is_abstract_type(condition) and self.schema.is_sub_type(condition, type)

    def passes(self, selection: Any) -> bool:
        for directive in selection.directives:
            if directive.name.value in ("skip", "include"):
                argument = directive.arguments[0].value
                value = self.variables[argument.name.value] if argument.kind == "variable" else argument.value
                if value == (directive.name.value == "skip"):
                    return False
        return True

    def value(self, name: str, known: list[Any], sets: list[Source], value: Any) -> Any:
        types: list[Any] = []
        full = None
        for owner in known:
            field = getattr(owner, "fields", {}).get(name)
            if field:
                full = field.type
                type = get_named_type(full)
                types = [each for each in types if each is not type] + [type]
        if value is None:
            return None
        if name == "__typename":
            return value
        if isinstance(value, list) and is_composite_type(types[-1]):
            return [self.value(name, known, sets, each) for each in value]
        if is_composite_type(types[-1]):
            return self.view(types, relative(sets), value)
        return self.leaf(full, value)


class Entries:
    """The selections at one place, in the order of the document."""

    def __init__(self) -> None:
        self.fields: dict[str, tuple[str, list[Source], bool]] = {}
        self.cases: dict[str, list[Source]] = {}
        self.fragments: dict[str, bool] = {}
        self.deferred: dict[int, tuple[str, str | None, Source]] = {}
        """The label, the type condition and the selection set."""
        self.written: set[str] = set()
        """The names of fields that are in the document as it was written."""
        self.has_typename = False
        """Whether the name of the type is in every response."""

    def add_field(self, field: FieldNode, source: Source) -> None:
        key = response_name(field)
        if not isinstance(field, AddedField):
            self.written.add(key)
        if key == "__typename" and not source.conditions:
            self.has_typename = True
        name, sets, is_included = self.fields.get(key, (field.name.value, [], False))
        if field.selection_set:
            sets = [*sets, source]
        self.fields[key] = (name, sets, is_included or source.is_included)


def defer_label(fragment: Any) -> str | None:
    for directive in fragment.directives:
        if directive.name.value == "defer":
            labels = [each.value.value for each in directive.arguments if each.name.value == "label"]
            return labels[0] if labels else ""
    return None


def relative(sources: list[Source]) -> list[Source]:
    """Sources of an object: what they all depend on decides whether there is an object."""
    unique: dict[int, Source] = {}
    for each in sources:
        known = unique.get(id(each.set))
        if known is None or len(each.conditions) < len(known.conditions):
            unique[id(each.set)] = each
    is_same = len({each.conditions for each in unique.values()}) == 1
    return [each._replace(conditions=frozenset()) for each in sources] if is_same else sources


def plain(name: str) -> str:
    """The name of a property, without what depends on conventions for names."""
    return name if name == "__typename" else name.replace("_", "").lower()
