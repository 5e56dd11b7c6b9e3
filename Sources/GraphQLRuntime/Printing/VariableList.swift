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

    var json: [UInt8] {
      var json: [UInt8] = []
      json.reserveCapacity(members.count + 2)
      json.append(UInt8(ascii: "{"))
      json.append(contentsOf: members)
      json.append(UInt8(ascii: "}"))
      return json
    }

    /// Adds a variable for an argument and returns what is wrong with its value.
    mutating func add(
      _ argument: Argument, type: TypeReference, schema: SchemaTable?
    ) -> [String] {
      let ordinal = declarations.count + 1
      // Names stay apart by their ordinals, as long as those can be told from the names.
      let endsInDigit = argument.name.utf8.last.map(Name.isDigit) ?? false
      let name = endsInDigit ? "\(argument.name)_\(ordinal)" : "\(argument.name)\(ordinal)"
      declarations.append((name, type.text))
      members.append(contentsOf: (ordinal > 1 ? ",\"" : "\"").utf8)
      members.append(contentsOf: name.utf8)
      members.append(contentsOf: "\":".utf8)
      var writer = ValueWriter(.json, type: type, schema: schema)
      writer.write(argument.value)
      members.append(contentsOf: writer.bytes)
      for upload in writer.uploads {
        let path = ["variables", name, upload.path].filter { !$0.isEmpty }.joined(separator: ".")
        uploads.append((path, upload.upload))
      }
      return writer.problems.map { "argument `\(argument.name)`: \($0)" }
    }

    /// `$first1: Int, $after2: String`.
    func definitions(separator: String) -> String {
      declarations.map { "$\($0.name):\(separator == "," ? "" : " ")\($0.type)" }
        .joined(separator: separator)
    }
  }
}

extension GraphQL.ValueWriter {
  /// Writes the value of an argument, nil as an explicit null.
  mutating func write(_ value: (any GraphQL.InputValue)?) {
    if let value { value._write(to: &self) } else { null() }
  }
}
