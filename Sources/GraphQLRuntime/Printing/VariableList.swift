import GraphJSON

extension GraphQL {
  /// The variables of one document, in the order in which they are printed.
  ///
  /// A variable is called after its argument with its ordinal, so that equal values stay apart and
  /// the text does not depend on values.
  struct VariableList: ~Copyable {
    private let isCompact: Bool
    private var count = 0
    private var writer: ValueWriter
    private(set) var uploads: [(path: String, upload: Upload)] = []
    /// `$first1: Int, $after2: String`.
    private(set) var definitions = ByteBuffer(capacity: 128)
    /// Where the name of the variable that was added last stands in them.
    private var lastName = 0..<0

    /// - Parameter isCompact: whether the definitions are written without spaces.
    init(isCompact: Bool, schema: SchemaTable?) {
      self.isCompact = isCompact
      writer = ValueWriter(.json, schema: schema)
    }

    /// The JSON object.
    var json: [UInt8] { writer.membersAsObject }

    /// The variable that was added last, for the argument at a place of a tree.
    // Safe: `lastName` is a range of `definitions`, which is only ever appended to.
    func last(for argument: Int) -> PrintedRequest.Variable {
      var member = count > 1 ? Array(",\"".utf8) : Array("\"".utf8)
      unsafe member += definitions.bytes[lastName]
      member += Array("\":".utf8)
      return PrintedRequest.Variable(member: member, argument: argument)
    }

    /// Adds a variable for an argument, appends its name with the `$` to `document`, and returns what
    /// is wrong with its value.
    // Safe: the caller lends both; `definitions` is not changed while its bytes are read.
    mutating func add(
      _ argument: UnsafePointer<Argument>, as info: UnsafePointer<ArgumentInfo>,
      to document: inout ByteBuffer
    ) -> [String] {
      count += 1
      if count > 1 { definitions.append(isCompact ? "," : ", ") }
      let start = definitions.count
      definitions.append(UInt8(ascii: "$"))
      unsafe definitions.append(argument.pointee.name)
      // Names stay apart by their ordinals, as long as those can be told from the names.
      if unsafe argument.pointee.name.utf8.last.map(Name.isDigit) ?? false {
        definitions.append(UInt8(ascii: "_"))
      }
      definitions.append(number: count)
      let name = unsafe UnsafeBufferPointer(rebasing: definitions.bytes[start...])
      lastName = start + 1..<definitions.count
      unsafe document.append(name)
      let found = unsafe writer.member(
        variable: UnsafeBufferPointer(rebasing: name.dropFirst()), as: info,
        argument.pointee.value)
      if !found.uploads.isEmpty {
        let name = unsafe String(decoding: name.dropFirst(), as: UTF8.self)
        uploads += found.uploads.map { upload in
          let path = ["variables", name, upload.path].filter { !$0.isEmpty }
          return (path.joined(separator: "."), upload.upload)
        }
      }
      definitions.append(isCompact ? ":" : ": ")
      unsafe definitions.append(info.pointee.type.text)
      if found.problems.isEmpty { return [] }
      return found.problems.map { unsafe "argument `\(argument.pointee.name)`: \($0)" }
    }
  }
}

extension GraphQL.ValueWriter {
  /// Writes the value of an argument, nil as an explicit null.
  mutating func write(_ value: (any GraphQL.InputValue)?) {
    if let value { value._write(to: &self) } else { null() }
  }
}
