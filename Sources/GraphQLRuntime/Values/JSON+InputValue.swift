import GraphJSON

extension JSON: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) {
    switch (writer.form, self) {
    case (_, .null): writer.null()
    case (.json, _): writer.json(self)
    case (.literal, _): writeLiteral(to: &writer)
    }
  }

  private func writeLiteral(to writer: inout GraphQL.ValueWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .number(let number): writer.number(number.text)
    case .string(let value): writer.string(value)
    case .array where writer.isTooDeep, .object where writer.isTooDeep: writer.keepAsVariable()
    case .array(let elements):
      writer.list(elements) { $0.writeLiteral(to: &$1) }
    case .object(let object):
      writer.object { writer in
        for member in object { writer.member(member.key) { member.value.writeLiteral(to: &$0) } }
      }
    }
  }
}
