import GraphJSON
import GraphQLRuntime

extension JSONDocument {
  /// The record without the members whose values are not of the schema's types: what another
  /// version of the program wrote, or damage, is missing and cannot trap.
  func fitted(to schema: GraphQL.SchemaTable, typeName: String) -> JSONDocument {
    let misfits = Set(
      GraphQL.StorageCheck(schema: schema, json: self).misfits(typeName: typeName))
    guard !misfits.isEmpty else { return self }
    var writer = JSONWriter()
    writer.beginObject()
    var key = firstChild(of: JSONDocument.rootIndex)
    let end = end(of: JSONDocument.rootIndex)
    while key < end {
      let value = next(after: key)
      if !misfits.contains(key) {
        writer.key(string(at: key))
        writer.fragment(of: self, at: value)
      }
      key = next(after: value)
    }
    writer.endObject()
    do {
      return try JSONDocument(parsing: writer.finish())
    } catch {
      preconditionFailure("parts of a document are JSON: \(error)")
    }
  }
}
