import GraphJSON

extension GraphQL {
  /// The variables of a typed operation, as they are sent.
  public struct Variables: Sendable {
    let document: LoadedDocument
    private(set) var json: [UInt8] = []
    private(set) var uploads: [(path: String, upload: Upload)] = []
    private(set) var problems: [InvalidQuery.Problem] = []
    /// The Boolean ones, which may be conditions.
    private(set) var booleans: [String: Bool] = [:]

    /// No variables yet.
    public init(_ document: DocumentText) {
      self.document = document.schema.requestCaches.loaded(document)
    }

    /// Adds a value.
    public mutating func _add<Value: InputValue>(_ name: String, _ value: Value) {
      var writer = ValueWriter(.json, schema: document.schema)
      writer.expected = document.variableTypes[name]
      value._write(to: &writer)
      json.append(UInt8(ascii: json.isEmpty ? "{" : ","))
      JSONWriter.appendString(name, to: &json)
      json.append(UInt8(ascii: ":"))
      json += writer.bytes
      if let value = value as? Bool { booleans[name] = value }
      guard let found = writer.takeFindings() else { return }
      uploads += found.uploads.map { upload in
        let path = ["variables", name, upload.path].filter { !$0.isEmpty }
        return (path.joined(separator: "."), upload.upload)
      }
      problems += found.problems.map {
        InvalidQuery.Problem(message: "variable `\(name)`: \($0)", path: [])
      }
    }

    /// Adds a value; nil leaves the variable out.
    public mutating func _add<Value: InputValue>(_ name: String, _ value: Value?) {
      if let value { _add(name, value) }
    }

    /// Adds a value or null; `undefined` leaves the variable out.
    public mutating func _add<Value: InputValue>(_ name: String, _ value: Input<Value>) {
      switch value {
      case .undefined: break
      case .null: _add(name, JSON.null)
      case .value(let value): _add(name, value)
      }
    }

    /// The JSON object.
    var object: [UInt8] { json.isEmpty ? Array("{}".utf8) : json + [UInt8(ascii: "}")] }
  }
}

extension GraphQL.Variables: CustomReflectable {
  /// The name of the operation. The values may be secrets, and are not shown.
  public var customMirror: Mirror { Mirror(self, children: ["operation": document.name]) }
}
