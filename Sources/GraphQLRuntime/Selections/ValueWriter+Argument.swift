extension GraphQL.ValueWriter {
  /// Writes the value of an argument.
  // Safe: the caller keeps the argument and the type valid during the call.
  mutating func write(
    _ argument: UnsafePointer<GraphQL.Argument>, as info: UnsafePointer<GraphQL.ArgumentInfo>
  ) {
    expected = unsafe Expectation(
      wrapping: info.pointee.type.wrapping, name: info.pointee.type.name)
    unsafe argument.pointee.value._write(to: &self)
  }
}
