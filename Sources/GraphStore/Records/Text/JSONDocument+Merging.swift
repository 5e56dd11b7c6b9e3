import GraphJSON
import GraphQLRuntime

extension JSONDocument {
  var text: String { String(decoding: source(at: JSONDocument.rootIndex), as: UTF8.self) }

  /// The record with the fields of another one merged over its own.
  func merging(_ other: JSONDocument) -> JSONDocument {
    let root = JSONDocument.rootIndex
    return JSONDocument(record: ValueMerge(stored: self, incoming: other).object(root, root))
      ?? self
  }

  /// The record with another text in place of values and links that equal the key `old`.
  func renaming(_ old: GraphQL.EntityKey, to new: GraphQL.EntityKey) -> JSONDocument {
    var text = text
    for (old, new) in [(old.key, new.key), (old.description, new.description)] {
      text = text.replacing(JSON.string(old).description, with: JSON.string(new).description)
    }
    return JSONDocument(record: Array(text.utf8)) ?? self
  }
}
