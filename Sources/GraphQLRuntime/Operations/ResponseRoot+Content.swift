import GraphJSON

// The types that adopt the marker are response classes, and structs with a document, whose only stored property is a
// `Fields`.
extension GraphQL.ResponseRoot {
  /// The object of a response that was checked.
  // Safe: a generated struct is its `Fields`, and `requireFields` stops for types that cannot be one.
  init(root handle: GraphQL.ResponseHandle) {
    if let type = Self.self as? GraphQL.AbstractResponse.Type {
      precondition(handle.document.recorded == nil, "\(Self.self) is not the type of a document")
      self = type.init(_handle: handle) as! Self
    } else {
      Self.requireFields()
      let fields = GraphQL.Fields(handle.document, handle.index)
      self = unsafe unsafeBitCast(fields, to: Self.self)
    }
  }

  /// The object's location.
  // Safe: a generated struct is its `Fields`, and `requireFields` stops for types that cannot be one.
  var rootHandle: GraphQL.ResponseHandle {
    if let object = self as? GraphQL.AbstractResponse {
      return GraphQL.ResponseHandle(document: object.document, index: object.index)
    }
    Self.requireFields()
    let fields = unsafe unsafeBitCast(self, to: GraphQL.Fields.self)
    return GraphQL.ResponseHandle(document: fields.document, index: fields.record)
  }

  private static func requireFields() {
    precondition(Self.self is any GraphQL.SelectedDocument.Type, "\(Self.self) has no document")
    precondition(
      MemoryLayout<Self>.size == MemoryLayout<GraphQL.Fields>.size,
      "\(Self.self) has other stored properties; generate the code again")
  }

  /// The object's JSON: the document and the position in it.
  package var _stored: (json: JSONDocument, index: Int) {
    let text = rootHandle.text
    return (text.document.json, text.index)
  }

  /// Which parts of the response have arrived.
  package var _context: GraphQL.ResponseContext {
    let document = rootHandle.document
    return document.recorded?.context ?? document.context
  }

  /// The memory of the values and of their text, in bytes.
  package var _memoryFootprint: Int { rootHandle.document.json.memoryFootprint }

  /// Whether two objects that are read as this type have the same content: their JSON as it arrived, or the same
  /// values in all fields of a typed operation.
  package func _hasSameContent(as other: Self) -> Bool {
    let (left, right) = (rootHandle, other.rootHandle)
    if left.document === right.document, left.index == right.index { return true }
    if left.document.recorded != nil, right.document.recorded != nil {
      return GraphQL.Fields(left.document, left.index)
        .isEqual(to: GraphQL.Fields(right.document, right.index))
    }
    let (mine, theirs) = (_stored, other._stored)
    return mine.json.hasSameContent(at: mine.index, as: theirs.json, at: theirs.index)
  }
}
