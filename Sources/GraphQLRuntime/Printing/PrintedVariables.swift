extension GraphQL {
  /// The variables of a document without their values, from which the JSON of other values is written.
  // Safe: `info` points into a constant array of the schema's table, and a request references its
  // schema.
  struct PrintedVariables: @unchecked Sendable {
    @safe private struct Variable: BitwiseCopyable {
      /// Where its member ends in ``members``.
      let end: Int32
      /// The position of the argument that has the value.
      let argument: Int32
      /// The argument in the schema.
      let info: UnsafePointer<ArgumentInfo>
    }

    private var variables: [Variable] = []
    /// The text before each value: `{"first1":`, `,"after2":`.
    private var members: [UInt8] = []

    /// Adds the variable for the argument at a position of a tree.
    // Safe: the caller keeps the member valid during the call, which copies it.
    mutating func append(
      _ member: UnsafeBufferPointer<UInt8>, _ argument: Int, as info: UnsafePointer<ArgumentInfo>
    ) {
      if variables.isEmpty {
        variables.reserveCapacity(8)
        members.reserveCapacity(128)
      }
      unsafe members.append(contentsOf: member)
      unsafe variables.append(
        Variable(
          end: Int32(truncatingIfNeeded: members.count),
          argument: Int32(truncatingIfNeeded: argument), info: info))
    }

    /// Whether the arguments of a tree of the same selections have the names that were printed.
    func areNamed(as arguments: [Argument]) -> Bool {
      for variable in variables
      where unsafe arguments[Int(variable.argument)].name != variable.info.pointee.name {
        return false
      }
      return true
    }

    /// The JSON object with the values of `arguments`; nil when one of them cannot be sent as it is.
    func json(_ arguments: [Argument], in schema: SchemaTable) -> [UInt8]? {
      var writer = ValueWriter(.json, schema: schema)
      // By address: copies would retain three references for each variable.
      unsafe arguments.withUnsafeBufferPointer { arguments in
        unsafe members.withUnsafeBufferPointer { members in
          var start = 0
          for variable in variables {
            let end = Int(variable.end)
            unsafe writer.member(UnsafeBufferPointer(rebasing: members[start..<end]))
            unsafe writer.write(
              arguments.baseAddress.unsafelyUnwrapped + Int(variable.argument), as: variable.info)
            start = end
          }
        }
      }
      return writer.takeFindings() == nil ? writer.takeMembers() : nil
    }
  }
}
