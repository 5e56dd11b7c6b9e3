import GraphJSON

extension GraphQL {
  /// The type as which the `data` of a response is read: a generated response class, or the generated struct of a typed
  /// operation.
  public protocol ResponseRoot: Sendable {
    /// The object of a response that was checked.
    init(_handle: ResponseHandle)

    /// The object's location.
    var _handle: ResponseHandle { get }
  }
}

extension GraphQL.ResponseRoot {
  /// The object's JSON: the document and the position in it.
  package var _stored: (json: JSONDocument, index: Int) {
    let text = _handle.text
    return (text.document.json, text.index)
  }

  /// The memory of the values and of their text, in bytes.
  package var _memoryFootprint: Int { _handle.document.json.memoryFootprint }
}

extension GraphQL.AbstractResponse: GraphQL.ResponseRoot {
  public final var _handle: GraphQL.ResponseHandle {
    GraphQL.ResponseHandle(document: document, index: index)
  }
}

extension GraphQL.ResponseHandle {
  /// The object in the document with the text; the handle itself if it is not a record.
  var text: GraphQL.ResponseHandle { document.text ?? self }
}
