import GraphJSON

extension GraphQL {
  /// Any JSON value: what a scalar without a Swift type of its own arrives as.
  public typealias JSON = GraphJSON.JSON
}

extension JSON: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .number(let number): writer.number(number.text)
    case .string(let value): writer.string(value)
    case .array(let elements):
      writer.list { writer in
        for element in elements { writer.element { element._write(to: &$0) } }
      }
    case .object(let object):
      writer.object { writer in
        for member in object { writer.member(member.key) { member.value._write(to: &$0) } }
      }
    }
  }
}
