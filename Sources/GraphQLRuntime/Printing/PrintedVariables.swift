extension GraphQL {
  /// The variables of a document without their values, from which the JSON of other values is written.
  struct PrintedVariables: Sendable {
    private struct Variable {
      let name: String
      /// The position of the argument that has the value.
      let argument: Int
      /// The argument in the schema.
      let info: ArgumentInfo
    }

    private var variables: [Variable] = []

    /// Adds the variable for the argument at a position of a tree.
    mutating func append(_ name: String, _ argument: Int, as info: ArgumentInfo) {
      variables.append(Variable(name: name, argument: argument, info: info))
    }

    /// Whether the arguments of a tree of the same selections have the names that were printed.
    func areNamed(as arguments: [Argument]) -> Bool {
      variables.allSatisfy { arguments[$0.argument].name == $0.info.name }
    }

    /// The JSON object with the values of `arguments`; nil when one of them cannot be sent as it is.
    func json(_ arguments: [Argument], in schema: SchemaTable) -> [UInt8]? {
      var writer = ValueWriter(.json, schema: schema)
      for variable in variables {
        writer.member(variable: variable.name)
        writer.write(arguments[variable.argument], as: variable.info)
      }
      return writer.takeFindings() == nil ? writer.takeMembers() : nil
    }
  }
}
