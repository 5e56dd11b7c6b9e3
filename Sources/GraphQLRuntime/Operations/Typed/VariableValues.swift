import GraphJSON

extension GraphQL {
  /// The values of the variables that were added.
  struct VariableValues: Sendable {
    let document: LoadedDocument
    /// The JSON object with the variables that were added.
    private(set) var object: [UInt8] = LoadedDocument.noVariables
    private(set) var uploads: [(path: String, upload: Upload)] = []
    private(set) var problems: [InvalidQuery.Problem] = []
    /// Those that decide about `@include` and `@skip`.
    private(set) var conditions: [String: Bool] = [:]
    /// Generated code adds variables in the order of the document.
    private var next = 0

    init(document: LoadedDocument) { self.document = document }

    mutating func add<Value: InputValue>(_ name: String, _ value: Value) {
      let variable = document.variable(name, expectedAt: next)
      next = variable.position + 1
      var writer = ValueWriter(.json, schema: document.schema)
      writer.expected = variable.type
      writer.addMember(prefix: variable.prefix, to: &object) { value._write(to: &$0) }
      if variable.isCondition, let value = value as? Bool { conditions[name] = value }
      guard let found = writer.takeFindings() else { return }
      uploads += found.uploads.map { upload in
        let path = ["variables", name, upload.path].filter { !$0.isEmpty }
        return (path.joined(separator: "."), upload.upload)
      }
      for problem in found.problems { fail(name, problem) }
    }

    mutating func addNull(_ name: String) {
      if !document.declares(name) {
        fail(name, "the operation has no variable of this name")
      } else if let known = try? JSON(parsing: object), known[name] != nil {
        fail(name, "it has a value, so it cannot be null")
      } else {
        add(name, JSON.null)
      }
    }

    private mutating func fail(_ name: String, _ problem: String) {
      problems.append(InvalidQuery.Problem(message: "variable `\(name)`: \(problem)", path: []))
    }
  }
}
