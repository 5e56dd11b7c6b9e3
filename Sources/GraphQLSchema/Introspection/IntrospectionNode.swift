import GraphJSON

/// A value of an introspection result, or a position in one.
///
/// Like `JSONNode`, but without reference counting: a large schema has tens of thousands of nodes.
/// The user keeps the document alive.
// Safe: `withRoot` keeps the document alive while there are nodes; indexes come from its tape.
@safe struct IntrospectionNode {
  private let tape: JSONTape
  private let index: Int

  private init(tape: JSONTape, index: Int) {
    unsafe self.tape = tape
    self.index = index
  }

  /// Calls `read` with the root of a document.
  static func withRoot<Result>(
    of document: JSONDocument, _ read: (IntrospectionNode) -> Result
  ) -> Result {
    withExtendedLifetime(document) {
      unsafe read(IntrospectionNode(tape: document.memory, index: JSONDocument.rootIndex))
    }
  }

  var kind: JSONKind { unsafe tape.kind(at: index) }
  var isNull: Bool { kind == .null }
  var bool: Bool? { unsafe tape.bool(at: index) }
  var string: String? { unsafe tape.string(at: index) }
  var sourceRange: Range<Int> { unsafe tape.sourceRange(at: index) }

  /// Whether the value is this string.
  func isString(_ text: StaticString) -> Bool { unsafe tape.isString(text, at: index) }

  /// The member of an object, the last one of duplicates.
  subscript(key: StaticString) -> IntrospectionNode? {
    guard kind == .object else { return nil }
    return unsafe tape.lastMember(key, of: index).map {
      unsafe IntrospectionNode(tape: tape, index: $0)
    }
  }

  /// The elements if the value is an array.
  var array: [IntrospectionNode]? {
    guard kind == .array else { return nil }
    var elements: [IntrospectionNode] = []
    unsafe elements.reserveCapacity(tape.count(at: index))
    var child = unsafe tape.firstChild(of: index)
    let end = unsafe tape.end(of: index)
    while child < end {
      unsafe elements.append(IntrospectionNode(tape: tape, index: child))
      child = unsafe tape.next(after: child)
    }
    return elements
  }
}
