extension GraphQL.ValueWriter {
  /// Writes the value of an argument.
  mutating func write(_ argument: GraphQL.Argument, as info: GraphQL.ArgumentInfo) {
    expected = Expectation(wrapping: info.type.wrapping, name: info.type.name)
    argument.value._write(to: &self)
  }
}
