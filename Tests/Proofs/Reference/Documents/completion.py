"""Makes the document that Treeswift sends, from the tree as graphql-core parses it.

- Objects of interfaces and unions have `__typename` first, in the selection set of a field or a fragment.
- Objects with a key have its fields last, unless they are selected anyway. Objects of an interface have one if it is
  the same for all of them, and the interface has its fields.
- An operation is followed by the fragments that it uses, in the order of their first use.
- Descriptions are left out.
"""

from __future__ import annotations

from typing import Any, Iterator

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLNonNull,
    GraphQLSchema,
    InlineFragmentNode,
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


# graphql-core gives each class of nodes a kind of its own.
AddedField.kind = FieldNode.kind


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
            is_shared = keys and all(each == keys[0] and set(each) <= set(type.fields) for each in keys)
            return keys[0] if is_shared else []
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
        definitions = [definition, *(self.fragments[name] for name in self.uses(definition))]
        return DocumentNode(definitions=[self.of_definition(each) for each in definitions])

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
        selections = list(self.completed(set, type, keys))
        if is_abstract_type(type) and not any(
            isinstance(each, FieldNode) and each.name.value == "__typename" and each.alias is None
            and not is_conditional(each)
            for each in set.selections
        ):
            selections.insert(0, AddedField("__typename"))
        return with_keys(set, selections, needed)

    def completed(self, set: SelectionSetNode, type: Any, around: list[str]) -> Iterator[Any]:
        """- `around`: the keys that the set has, or gets."""
        for each in set.selections:
            if isinstance(each, FieldNode) and each.selection_set:
                below = field_type(self.schema, type, each.name.value)
                yield with_set(each, self.whole(each.selection_set, below))
            elif isinstance(each, InlineFragmentNode):
                condition = type
                if each.type_condition:
                    condition = self.schema.type_map[each.type_condition.name.value]
                needed = []
                if condition is not type:
                    needed = [
                        key for key in self.key(condition)
                        if key not in around
                        and not self.selects(set, condition, key)
                        and not self.selects(each.selection_set, condition, key)
                    ]
                inner = list(self.completed(each.selection_set, condition, needed))
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
            elif each.type_condition:
                condition = self.schema.type_map[each.type_condition.name.value]
            applies = condition is type or is_abstract_type(condition) and self.schema.is_sub_type(condition, type)
            if applies and self.selects(inner, type, key, within):
                return True
        return False


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
