import GraphJSON
import GraphQLSchema

/// The information about a field for its resolver (section 6.4.2).
public struct FieldContext: Sendable {
  /// The object of the field: the result of the enclosing field.
  public let source: Resolved
  /// The position of the value in the response.
  public let path: ResponsePath
  let plan: FieldPlan

  /// The type of the field's object.
  public var parentType: ObjectType { plan.parentType }
  /// The field in the schema.
  public var definition: FieldDefinition { plan.definition }
  /// The type under all list and non-null wrappers of the field's type.
  public var namedType: NamedType { plan.namedType }
  /// The name of the field, not its alias.
  public var name: String { plan.definition.name }
  /// The selections that are merged into this field, in the order of the document.
  public var fields: [Document.Field] { plan.fields }
  /// The coerced values of the arguments (section 6.4.1), including defaults, in the order of their
  /// definitions. An argument without a value and without a default value is absent.
  public var arguments: JSON.Object { plan.arguments }
  /// The schema against which the document is executed.
  public var schema: ServiceSchema { plan.schema }
}

/// The parts that all executions of a field on one object type share.
final class FieldPlan: Sendable {
  let schema: ServiceSchema
  let parentType: ObjectType
  let definition: FieldDefinition
  /// The type under all wrappers of the field's type.
  let namedType: NamedType
  let fields: [Document.Field]
  let arguments: JSON.Object

  init(
    schema: ServiceSchema, parentType: ObjectType, definition: FieldDefinition,
    namedType: NamedType,
    fields: [Document.Field],
    arguments: JSON.Object
  ) {
    self.schema = schema
    self.parentType = parentType
    self.definition = definition
    self.namedType = namedType
    self.fields = fields
    self.arguments = arguments
  }
}
