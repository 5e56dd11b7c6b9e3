import GraphJSON

extension JSONDocument {
  var text: String { String(decoding: source(at: JSONDocument.rootIndex), as: UTF8.self) }

  /// The record with the fields of another one merged over its own.
  func merging(_ other: JSONDocument) -> JSONDocument {
    let root = JSONDocument.rootIndex
    return JSONDocument(record: ValueMerge(stored: self, incoming: other).object(root, root))
      ?? self
  }
}
