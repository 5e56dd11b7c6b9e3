import GraphJSON

// Safe: the index is that of a value in this document, which is kept alive during the call.
extension GraphQL.ValueReader {
  /// The value that `body` reads from the bytes of a string without escapes.
  @inline(__always)
  func plainString<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value?) -> Value? {
    unsafe tape.withPlainString(at: index, body)
  }

  /// The result of `init(scalar:)` for the value.
  func decoded<Value: GraphQL.Scalar>() -> Value? {
    try? Value(scalar: json.json(at: index))
  }
}
