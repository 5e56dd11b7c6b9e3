extension GraphQL {
  /// The variables of a document without their values, from which the JSON of other values is written.
  struct PrintedVariables: Sendable {
    private struct Variable {
      let name: String
      /// The list with the argument that has the value, and its position there.
      let list: Int
      let position: Int
      /// The argument in the schema.
      let info: ArgumentInfo
    }

    private var variables: [Variable] = []

    /// Adds the variable for the argument at a position of a list.
    mutating func append(_ name: String, _ list: Int, _ position: Int, as info: ArgumentInfo) {
      variables.append(Variable(name: name, list: list, position: position, info: info))
    }

    /// The JSON object with the values of `arguments`; nil when one of them cannot be sent as it is.
    func json(_ arguments: [[PlacedArgument]], in schema: SchemaTable) -> [UInt8]? {
      var writer = ValueWriter(.json, schema: schema)
      for variable in variables {
        writer.member(variable: variable.name)
        writer.write(arguments[variable.list][variable.position].argument, as: variable.info)
      }
      return writer.takeFindings() == nil ? writer.takeMembers() : nil
    }
  }
}
