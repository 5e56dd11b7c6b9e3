import GraphJSON
import GraphQLSchema

/// The fields that a selection set selects on one object type, merged by response name (section
/// 6.3.2, CollectFields). Created once per execution, for any number of objects.
final class SelectionPlan {
  let fields: [FieldNode]

  init(fields: [FieldNode]) { self.fields = fields }
}

/// One of the fields of a ``SelectionPlan``.
final class FieldNode {
  let responseName: String
  let kind: Kind
  /// The selections that were merged into the field.
  let fields: [Document.Field]
  /// The field's type in the schema.
  let type: TypeReference
  /// The type under all wrappers.
  let namedType: NamedType
  /// The selections on each object type that the field's values have had.
  private var selections: [String: Result<SelectionPlan, ExecutionError>] = [:]

  enum Kind {
    /// `__typename`: the name of the object's type.
    case typename(String)
    case introspection(FieldPlan)
    case resolved(FieldPlan)
    /// The arguments cannot be coerced.
    case invalid(ExecutionError)
  }

  init(
    responseName: String, kind: Kind, fields: [Document.Field], type: TypeReference,
    namedType: NamedType
  ) {
    self.responseName = responseName
    self.kind = kind
    self.fields = fields
    self.type = type
    self.namedType = namedType
  }

  /// The selections on an object type of the field's value, collected on first use.
  func selection(
    on type: ObjectType, _ collector: FieldCollector
  ) throws(ExecutionError) -> SelectionPlan {
    if let known = selections[type.name] { return try known.get() }
    let result: Result<SelectionPlan, ExecutionError>
    do throws(ExecutionError) {
      result = .success(try collector.collect(fields.compactMap(\.selectionSet), on: type))
    } catch {
      result = .failure(error)
    }
    selections[type.name] = result
    return try result.get()
  }
}
