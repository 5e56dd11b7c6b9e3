import GraphJSON

extension GraphQL {
  /// The variables of one document, in the order in which they are printed.
  ///
  /// A variable is called after its argument with its ordinal, so that equal values stay apart and
  /// the text does not depend on values.
  struct VariableList {
    private var declarations: [(name: String, type: String)] = []
    /// The members of the variables' JSON object.
    private var members: [UInt8] = []
    private(set) var uploads: [(path: String, upload: Upload)] = []

    /// The name of the variable that was added last.
    var lastName: String { declarations.last?.name ?? "" }

    var json: [UInt8] { [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")] }

    /// Adds a variable for an argument and returns what is wrong with its value.
    mutating func add(_ argument: Argument, type: String) -> [String] {
      let name = "\(argument.name)\(declarations.count + 1)"
      declarations.append((name, type))
      if !members.isEmpty { members.append(UInt8(ascii: ",")) }
      members.append(contentsOf: "\"\(name)\":".utf8)
      var writer = ValueWriter(.json)
      writer.write(argument.value)
      members.append(contentsOf: writer.bytes)
      for upload in writer.uploads {
        let path = ["variables", name, upload.path].filter { !$0.isEmpty }.joined(separator: ".")
        uploads.append((path, upload.upload))
      }
      return writer.problems
    }

    /// `$first1: Int, $after2: String`.
    func definitions(separator: String) -> String {
      declarations.map { "$\($0.name):\(separator == "," ? "" : " ")\($0.type)" }
        .joined(separator: separator)
    }
  }
}

extension GraphQL.ValueWriter {
  /// Writes a value, or null for nil.
  mutating func write(_ value: (any GraphQL.InputValue)?) {
    if let value { value._write(to: &self) } else { null() }
  }
}
