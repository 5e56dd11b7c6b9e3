import GraphJSON

/// What a resolver is told about the field it resolves (section 6.4.2).
public struct FieldContext: Sendable {
  /// The object that the field belongs to: what its own field resolved to.
  public let source: Resolved
  /// Where the value goes in the response.
  public let path: ResponsePath
  let plan: FieldPlan

  /// The type of the object that the field belongs to.
  public var parentType: ObjectType { plan.parentType }
  /// The field as the schema defines it.
  public var definition: FieldDefinition { plan.definition }
  /// The type under all list and non-null wrappers of the field's type.
  public var namedType: NamedType { plan.namedType }
  /// The name of the field, not its alias.
  public var name: String { plan.definition.name }
  /// The selections that are merged into this field, in the order of the document.
  public var fields: [Field] { plan.fields }
  /// The coerced values of the arguments (section 6.4.1), defaults included, in the order of their
  /// definitions. What was not given and has no default value is absent.
  public var arguments: JSONObject { plan.arguments }
  /// The schema that the document is executed on.
  public var schema: Schema { plan.schema }
}

/// What all executions of a field on one object type have in common.
final class FieldPlan: Sendable {
  let schema: Schema
  let parentType: ObjectType
  let definition: FieldDefinition
  /// The type under all wrappers of the field's type.
  let namedType: NamedType
  let fields: [Field]
  let arguments: JSONObject

  init(
    schema: Schema, parentType: ObjectType, definition: FieldDefinition, namedType: NamedType,
    fields: [Field],
    arguments: JSONObject
  ) {
    self.schema = schema
    self.parentType = parentType
    self.definition = definition
    self.namedType = namedType
    self.fields = fields
    self.arguments = arguments
  }
}
