import GraphJSON

extension Graph.OperationRequest {
  /// The body of a JSON request: `query`, `operationName`, `variables` and `extensions`, if there
  /// are any, and nothing else (GraphQL over HTTP, Request Parameters).
  ///
  /// - Parameter document: false leaves out the text, for a server that identifies it by its hash. A trusted
  ///   document has its id in place of the text.
  func body(document includesDocument: Bool = true) -> [UInt8] {
    var writer = JSONWriter()
    write(to: &writer, document: includesDocument)
    return writer.finish()
  }

  func write(to writer: inout JSONWriter, document includesDocument: Bool = true) {
    writer.beginObject()
    if let documentID {
      if let member = documentID.member {
        writer.key(member)
        writer.string(documentID.id)
      }
    } else if includesDocument {
      writer.key("query")
      writer.string(document)
    }
    if let name {
      writer.key("operationName")
      writer.string(name)
    }
    if hasVariables {
      writer.key("variables")
      writer.fragment(variables)
    }
    if !extensions.isEmpty {
      writer.key("extensions")
      writer.value(.object(extensions))
    }
    writer.endObject()
  }

  var hasVariables: Bool { variables.count > 2 }
}
