"""Makes the document that Treeswift sends, from the tree as graphql-core parses it.

- Objects of interfaces and unions have `__typename` first, in the selection set of a field or a fragment.
- Objects with a key have its fields last, unless they are selected anyway. Objects of an interface have one if it is
  the same for all of them, and the interface has its fields.
- For other interfaces, and for unions, the keys of the possible objects are added: to inline fragments that certainly
  apply, and otherwise as the fewest named fragments, if these are at most four.
- An operation is followed by the fragments that it uses, in the order of their first use.
- Descriptions are left out.
"""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLNonNull,
    GraphQLSchema,
    InlineFragmentNode,
    NamedTypeNode,
    NameNode,
    OperationDefinitionNode,
    SelectionSetNode,
    StringValueNode,
    VariableDefinitionNode,
    Visitor,
    get_named_type,
    is_abstract_type,
    is_interface_type,
    is_object_type,
    is_required_argument,
    print_ast,
    visit,
)

CONDITIONS = {"include", "skip", "defer"}


def response_name(field: FieldNode) -> str:
    return (field.alias or field.name).value


def is_conditional(selection: Any) -> bool:
    return any(directive.name.value in CONDITIONS for directive in selection.directives)


class AddedField(FieldNode):
    """A field that is not in the document."""

    def __init__(self, name: str) -> None:
        super().__init__(name=NameNode(value=name), alias=None, arguments=[], directives=[], selection_set=None)


class AddedSpread(FragmentSpreadNode):
    """A spread that is not in the document."""

    def __init__(self, name: str) -> None:
        super().__init__(name=NameNode(value=name), directives=[])


# graphql-core gives each class of nodes a kind of its own.
AddedField.kind = FieldNode.kind
AddedSpread.kind = FragmentSpreadNode.kind

MOST_FRAGMENTS = 4


class KeyFragment(NamedTuple):
    type: str
    fields: tuple[str, ...]

    @property
    def name(self) -> str:
        return "_" + "_".join(each.replace("_", "__") for each in (self.type, *self.fields))

    @property
    def definition(self) -> FragmentDefinitionNode:
        return FragmentDefinitionNode(
            name=NameNode(value=self.name), type_condition=NamedTypeNode(name=NameNode(value=self.type)),
            directives=[], variable_definitions=[],
            selection_set=SelectionSetNode(selections=[AddedField(each) for each in self.fields]))


class Plan(NamedTuple):
    """How a set of an interface or union without a key gets those of its objects."""

    inside: frozenset[str] = frozenset()
    """The objects whose key is added to an inline fragment."""
    fragments: tuple[KeyFragment, ...] = ()
    missing: frozenset[str] = frozenset()
    """The objects that get no key."""


def field_type(schema: GraphQLSchema, parent: Any, name: str) -> Any:
    """The type that a selection set below a field is on."""
    return get_named_type(parent.fields[name].type)


def root_type(schema: GraphQLSchema, operation: OperationDefinitionNode) -> Any:
    return schema.get_root_type(operation.operation)


class Completion:
    def __init__(self, schema: GraphQLSchema, keys: dict[str, list[str]], document: DocumentNode) -> None:
        self.schema = schema
        self.keys = keys
        self.fragments = {
            each.name.value: each for each in document.definitions if isinstance(each, FragmentDefinitionNode)
        }

    def key(self, type: Any) -> list[str]:
        if is_interface_type(type):
            keys = [self.key(each) for each in self.schema.get_possible_types(type)]
            objects = self.schema.get_possible_types(type)
            is_shared = keys and all(each == keys[0] for each in keys)
            return keys[0] if is_shared and all(self.has_key_of(type, each) for each in objects) else []
        if not is_object_type(type):
            return []
        if type.name in self.keys:
            return self.keys[type.name]
        field = type.fields.get("id")
        if field is None or any(is_required_argument(each) for each in field.args.values()):
            return []
        return ["id"] if isinstance(field.type, GraphQLNonNull) and field.type.of_type.name == "ID" else []

    def sent(self, definition: OperationDefinitionNode | FragmentDefinitionNode) -> DocumentNode:
        """The document of an operation, or a fragment and those that it uses."""
        done = self.of_definition(definition)
        completed = {name: self.of_definition(self.fragments[name]) for name in self.uses(definition)}
        added: dict[str, KeyFragment] = {}
        for each in [done, *completed.values()]:
            visit(each, _AddedSpreads(added))
        completed |= {name: fragment.definition for name, fragment in added.items()}
        order: list[str] = []

        def follow(node: Any) -> None:
            for name in spreads(node.selection_set):
                if name not in order and name != getattr(definition.name, "value", None):
                    order.append(name)
                    follow(completed[name])

        follow(done)
        return DocumentNode(definitions=[done, *(completed[name] for name in order)])

    def has_key_of(self, interface: Any, object: Any) -> bool:
        return all(
            key in interface.fields and str(interface.fields[key].type) == str(object.fields[key].type)
            for key in self.key(object))

    def plan(self, set: SelectionSetNode, type: Any) -> Plan:
        if not is_abstract_type(type) or self.key(type):
            return Plan()
        objects = [
            each for each in self.schema.get_possible_types(type)
            if any(not self.selects(set, each, key) for key in self.key(each))
        ]
        unplaced = [each for each in objects if not self.has_inside(set, each)]
        fragments = self.cover(unplaced)
        if fragments is None:
            names = frozenset(each.name for each in unplaced)
            return Plan(frozenset(each.name for each in objects) - names, (), names)
        used = [each for each in fragments if not self.is_hidden(each, set, type)]
        def names(of: list[KeyFragment]) -> frozenset[str]:
            return frozenset(each.name for each in objects if any(one in self.key_fragments(each) for one in of))
        return Plan(
            frozenset(each.name for each in objects) - names(fragments), tuple(used),
            names([each for each in fragments if each not in used]))

    def has_inside(self, set: SelectionSetNode, object: Any) -> bool:
        """Whether an inline fragment certainly applies to an object, and can have its key."""
        for each in set.selections:
            if isinstance(each, InlineFragmentNode) and not is_conditional(each) and self.applies(each, object):
                condition = each.type_condition and self.schema.type_map[each.type_condition.name.value]
                if condition and self.key(condition) == self.key(object) or self.has_inside(each.selection_set, object):
                    return True
        return False

    def applies(self, fragment: InlineFragmentNode, object: Any) -> bool:
        if not fragment.type_condition:
            return True
        condition = self.schema.type_map[fragment.type_condition.name.value]
        return condition is object or is_abstract_type(condition) and self.schema.is_sub_type(condition, object)

    def key_fragments(self, object: Any) -> list[KeyFragment]:
        """Those that have the key of an object, its own first."""
        interfaces = sorted(each.name for each in object.interfaces if self.has_key_of(each, object))
        return [KeyFragment(name, tuple(self.key(object))) for name in [object.name, *interfaces]]

    def cover(self, objects: list[Any]) -> list[KeyFragment] | None:
        """The fewest fragments, or None. For the first object without one, that with most others is preferred."""
        choices = {each.name: self.key_fragments(each) for each in objects}

        def search(names: list[str], count: int) -> list[KeyFragment] | None:
            if not names or not count:
                return None if names else []
            rests = [(each, [name for name in names if each not in choices[name]]) for each in choices[names[0]]]
            for each, rest in sorted(rests, key=lambda pair: len(pair[1])):
                found = search(rest, count - 1)
                if found is not None:
                    return [each, *found]
            return None

        for count in range(MOST_FRAGMENTS + 1):
            found = search([each.name for each in objects], count)
            if found is not None:
                return found
        return None

    def is_hidden(self, fragment: KeyFragment, set: SelectionSetNode, type: Any) -> bool:
        owner = self.schema.type_map[fragment.type]
        return any(self.hides_key(set, type, key, owner.fields[key].type) for key in fragment.fields)

    def hides_key(self, set: SelectionSetNode, type: Any, key: str, kind: Any) -> bool:
        for each in set.selections:
            if isinstance(each, FieldNode):
                if response_name(each) == key:
                    is_same = each.name.value == key and not each.arguments and str(type.fields[key].type) == str(kind)
                    if not is_same:
                        return True
                continue
            fragment = each if isinstance(each, InlineFragmentNode) else self.fragments[each.name.value]
            condition = fragment.type_condition
            inner = self.schema.type_map[condition.name.value] if condition else type
            if self.hides_key(fragment.selection_set, inner, key, kind):
                return True
        return False

    def uses(self, definition: Any) -> list[str]:
        found: list[str] = []

        def gather(selections: SelectionSetNode) -> None:
            for selection in selections.selections:
                if isinstance(selection, FragmentSpreadNode):
                    name = selection.name.value
                    if name not in found:
                        found.append(name)
                        gather(self.fragments[name].selection_set)
                elif selection.selection_set:
                    gather(selection.selection_set)

        gather(definition.selection_set)
        return found

    def of_definition(self, definition: Any) -> Any:
        is_fragment = isinstance(definition, FragmentDefinitionNode)
        type = root_type(self.schema, definition) if not is_fragment else self.schema.type_map[
            definition.type_condition.name.value]
        copy = with_set(definition, self.whole(definition.selection_set, type, has_key=is_fragment))
        copy.description = None
        copy.variable_definitions = tuple(map(without_description, definition.variable_definitions or ()))
        return copy

    def whole(self, set: SelectionSetNode, type: Any, has_key: bool = True) -> SelectionSetNode:
        """All of what is selected of an object at one place."""
        keys = self.key(type) if has_key else []
        needed = [key for key in keys if not self.selects(set, type, key)]
        plan = self.plan(set, type)
        selections = list(self.completed(set, type, {*plan.inside}))
        if is_abstract_type(type) and not any(
            isinstance(each, FieldNode) and each.name.value == "__typename" and each.alias is None
            and not is_conditional(each)
            for each in set.selections
        ):
            selections.insert(0, AddedField("__typename"))
        for each in plan.fragments:
            owner = self.schema.type_map[each.type]
            if owner is type or is_interface_type(owner) and self.schema.is_sub_type(owner, type):
                selections += [AddedField(key) for key in each.fields]
            else:
                selections.append(AddedSpread(each.name))
                selections[-1].fragment = each
        return with_keys(set, selections, needed)

    def completed(self, set: SelectionSetNode, type: Any, awaiting: set[str]) -> Iterator[Any]:
        """- `awaiting`: the objects whose key is added to the next inline fragment. They are removed."""
        for each in set.selections:
            if isinstance(each, FieldNode) and each.selection_set:
                below = field_type(self.schema, type, each.name.value)
                yield with_set(each, self.whole(each.selection_set, below))
            elif isinstance(each, InlineFragmentNode):
                condition = type
                if each.type_condition:
                    condition = self.schema.type_map[each.type_condition.name.value]
                given = set_of(
                    name for name in awaiting
                    if not is_conditional(each) and self.applies(each, self.schema.type_map[name]))
                placed = set_of(
                    name for name in given
                    if each.type_condition and self.key(self.schema.type_map[name]) == self.key(condition))
                needed = [
                    key for key in self.key(condition)
                    if placed and not self.selects(set, condition, key)
                    and not self.selects(each.selection_set, condition, key)
                ]
                awaiting -= given
                inside = given - placed
                inner = list(self.completed(each.selection_set, condition, inside))
                awaiting |= inside
                yield with_set(each, with_keys(each.selection_set, inner, needed))
            else:
                yield each

    def selects(self, set: SelectionSetNode, type: Any, key: str, within: frozenset[str] = frozenset()) -> bool:
        """Whether every response has the key for an object of the type."""
        for each in set.selections:
            if is_conditional(each):
                continue
            if isinstance(each, FieldNode):
                if each.alias is None and each.name.value == key:
                    return True
                continue
            condition, inner = type, each.selection_set if isinstance(each, InlineFragmentNode) else None
            if isinstance(each, FragmentSpreadNode):
                if each.name.value in within:
                    continue
                within |= {each.name.value}
                fragment = self.fragments[each.name.value]
                condition, inner = self.schema.type_map[fragment.type_condition.name.value], fragment.selection_set
                applies = condition is type or is_abstract_type(condition) and self.schema.is_sub_type(condition, type)
                if applies and key in self.key(condition):
                    return True  # it has been added there
                if applies and is_abstract_type(condition) and not self.key(condition) and is_object_type(type):
                    if key in self.key(type) and type.name not in self.plan(inner, condition).missing:
                        return True
            elif each.type_condition:
                condition = self.schema.type_map[each.type_condition.name.value]
            applies = condition is type or is_abstract_type(condition) and self.schema.is_sub_type(condition, type)
            if applies and self.selects(inner, type, key, within):
                return True
        return False


set_of = set
"""Where a parameter has the name."""


class _AddedSpreads(Visitor):
    def __init__(self, found: dict[str, KeyFragment]) -> None:
        super().__init__()
        self.found = found

    def enter_fragment_spread(self, node: FragmentSpreadNode, *_: Any) -> None:
        if isinstance(node, AddedSpread):
            self.found[node.name.value] = node.fragment


def spreads(set: SelectionSetNode) -> Iterator[str]:
    for each in set.selections:
        if isinstance(each, FragmentSpreadNode):
            yield each.name.value
        elif each.selection_set:
            yield from spreads(each.selection_set)


def with_set(node: Any, set: SelectionSetNode) -> Any:
    copy = type(node)(**{key: getattr(node, key) for key in node.keys if key != "selection_set"})
    copy.selection_set = set
    return copy


def without_description(variable: VariableDefinitionNode) -> VariableDefinitionNode:
    copy = VariableDefinitionNode(**{key: getattr(variable, key) for key in variable.keys})
    copy.description = None
    return copy


def with_keys(set: SelectionSetNode, selections: list[Any], keys: list[str]) -> SelectionSetNode:
    added = [AddedField(key) for key in keys if not hides(set, key)]
    return SelectionSetNode(selections=selections + added)


def hides(set: SelectionSetNode, name: str) -> bool:
    """Whether another field has the name, so that it cannot be added."""
    for each in set.selections:
        if isinstance(each, FieldNode):
            if response_name(each) == name and each.name.value != name:
                return True
        elif isinstance(each, InlineFragmentNode) and hides(each.selection_set, name):
            return True
    return False


class _PlainStrings(Visitor):
    def enter_string_value(self, node: StringValueNode, *_: Any) -> None:
        node.block = False


def printed(document: DocumentNode) -> str:
    """graphql-core's text, in which block strings are like other strings."""
    return print_ast(visit(document, _PlainStrings()))
