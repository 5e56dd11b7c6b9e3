extension GraphQL.ValueWriter {
  /// Writes the value of an argument.
  mutating func write(_ argument: GraphQL.Argument, as info: GraphQL.ArgumentInfo) {
    expected = Expectation(info.type)
    argument.value._write(to: &self)
  }
}
