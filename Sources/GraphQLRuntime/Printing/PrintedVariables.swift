extension GraphQL {
  /// The variables of a document without their values, from which the JSON of other values is written.
  struct PrintedVariables: Sendable {
    private struct Variable {
      /// The end of its part of ``prefixes``.
      let prefixEnd: Int
      /// The list with the argument that has the value, and its position there.
      let list: Int
      let position: Int
      /// The type of the argument.
      let expected: ValueWriter.Expectation
    }

    private var variables: [Variable] = []
    /// The JSON before each value: `{"first1":,"after2":`.
    private var prefixes: [UInt8] = []

    /// Adds the variable for the argument at a position of a list.
    mutating func append(_ name: String, _ list: Int, _ position: Int, as info: ArgumentInfo) {
      if variables.isEmpty {
        variables.reserveCapacity(8)
        prefixes.reserveCapacity(128)
      }
      prefixes.append(UInt8(ascii: variables.isEmpty ? "{" : ","))
      prefixes.append(UInt8(ascii: "\""))
      prefixes += name.utf8
      prefixes.append(UInt8(ascii: "\""))
      prefixes.append(UInt8(ascii: ":"))
      variables.append(
        Variable(
          prefixEnd: prefixes.count, list: list, position: position,
          expected: ValueWriter.Expectation(info.type)))
    }

    /// The JSON object with the values of `arguments`; nil when one of them cannot be sent as it is.
    func json(_ arguments: [[PlacedArgument]], in schema: SchemaTable) -> [UInt8]? {
      var writer = ValueWriter(.json, schema: schema)
      var start = 0
      for variable in variables {
        writer.member(prefix: prefixes[start..<variable.prefixEnd])
        start = variable.prefixEnd
        writer.expected = variable.expected
        arguments[variable.list][variable.position].argument.value._write(to: &writer)
      }
      return writer.takeFindings() == nil ? writer.takeMembers() : nil
    }
  }
}
