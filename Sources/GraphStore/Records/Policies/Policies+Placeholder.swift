import GraphJSON
import GraphQLRuntime

extension Policies {
  /// A record with only the key's fields.
  func placeholder(for key: GraphQL.EntityKey) -> JSONDocument {
    let fields = policy(ofType: key.typeName).key ?? []
    var values = [key.key]
    if fields.count > 1, case .array(let elements)? = try? JSON(parsing: Array(key.key.utf8)) {
      values = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("__typename")
    writer.string(key.typeName)
    for (field, value) in zip(fields, values) {
      writer.key(field)
      writer.string(value)
    }
    writer.endObject()
    do {
      return try JSONDocument(parsing: writer.finish())
    } catch {
      preconditionFailure("the writer's text is not JSON: \(error)")
    }
  }
}
