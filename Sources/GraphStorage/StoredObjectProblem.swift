import GraphJSON
import GraphQLRuntime

extension GraphQL.StorageCheck {
  /// The problem with the object at `index`, whose members are the fields of the type with that
  /// name; nil if there is none.
  package func problem(of index: Int, typeName: String) -> GraphQL.SchemaViolation? {
    guard let type = schema.type(named: typeName) else { return nil }
    var checker = GraphQL.FieldsChecker(json, schema: schema)
    do {
      try checker.check(index, type: type)
      return nil
    } catch {
      return error
    }
  }
}
