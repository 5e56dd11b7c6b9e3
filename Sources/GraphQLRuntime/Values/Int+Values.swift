// GraphQL's Int has 32 bits (specification: 3.5.1 Int).
extension Int: GraphQL.OutputValue {
  public static func _read(_ reader: GraphQL.ValueReader) -> Int? {
    Int32._read(reader).map(Int.init)
  }

  public static func _placeholder(_ context: GraphQL.ProbeContext) -> Int {
    Int(Int32._placeholder(context))
  }
}

extension Int: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) {
    guard let value = Int32(exactly: self) else {
      return writer.fail("\(self) is not an Int of GraphQL, which has 32 bits")
    }
    writer.integer(value)
  }
}
