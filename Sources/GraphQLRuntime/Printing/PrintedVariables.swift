extension GraphQL {
  /// The variables of a document without their values, from which the JSON of other values is written.
  struct PrintedVariables: Sendable {
    /// A class, since reading a variable then counts one reference.
    private final class Variable: Sendable {
      /// The JSON before the value, `{"first1":` or `,"after2":`.
      let prefix: [UInt8]
      /// The list with the argument that has the value, and its position there.
      let list: Int
      let position: Int
      /// The type of the argument.
      let expected: ValueWriter.Expectation

      init(
        prefix: [UInt8], list: Int, position: Int, expected: ValueWriter.Expectation
      ) {
        self.prefix = prefix
        self.list = list
        self.position = position
        self.expected = expected
      }
    }

    private var variables: [Variable] = []

    /// Adds the variable for the argument at a position of a list.
    mutating func append(_ name: String, _ list: Int, _ position: Int, as info: ArgumentInfo) {
      let prefix = (variables.isEmpty ? "{\"" : ",\"") + name + "\":"
      variables.append(
        Variable(
          prefix: Array(prefix.utf8), list: list, position: position,
          expected: ValueWriter.Expectation(wrapping: info.type.wrapping, name: info.type.name)))
    }

    /// The JSON object with the values of `arguments`; nil when one of them cannot be sent as it is.
    func json(_ arguments: [[PlacedArgument]], in schema: SchemaTable) -> [UInt8]? {
      var writer = ValueWriter(.json, schema: schema)
      for variable in variables {
        writer.member(prefix: variable.prefix)
        writer.expected = variable.expected
        arguments[variable.list][variable.position].argument.value._write(to: &writer)
      }
      return writer.takeFindings() == nil ? writer.takeMembers() : nil
    }
  }
}
