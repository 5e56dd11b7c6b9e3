import GraphJSON

extension GraphQL {
  /// The variables of a typed operation, as they are sent.
  ///
  /// A single reference: the compiler then writes no functions that copy and destroy operations, but uses those of
  /// references.
  public struct Variables: Sendable {
    private var stored: StoredVariables

    /// No variables yet.
    public init<Data: SelectedDocument>(_ data: Data.Type) {
      let document = data._document()
      stored = StoredVariables(
        VariableValues(document: document.schema.requestCaches.loaded(document)))
    }

    /// Adds a value.
    public mutating func _add<Value: InputValue>(_ name: String, _ value: Value) {
      change { $0.add(name, value) }
    }

    /// Adds a value; nil leaves the variable out.
    public mutating func _add<Value: InputValue>(_ name: String, _ value: Value?) {
      if let value { _add(name, value) }
    }

    /// Adds a null for a variable that was left out.
    mutating func addNull(_ name: String) {
      change { $0.addNull(name) }
    }

    var values: VariableValues { stored.values }

    private mutating func change(_ body: (inout VariableValues) -> Void) {
      if !isKnownUniquelyReferenced(&stored) { stored = StoredVariables(stored.values) }
      body(&stored.values)
    }
  }

  // Safe: the values are only changed while the object has one reference.
  private final class StoredVariables: @unchecked Sendable {
    var values: VariableValues

    init(_ values: VariableValues) { self.values = values }
  }
}

extension GraphQL.Variables: CustomReflectable {
  /// The name of the operation. The values may be secrets, and are not shown.
  public var customMirror: Mirror {
    Mirror(self, children: ["operation": values.document.name])
  }
}

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

extension GraphQL {
  /// Checks the values for the variables of a fragment against the arguments that use them. A typed operation needs no
  /// such check, since the compiler makes it.
  struct VariableCheck {
    let schema: SchemaTable
    let variables: (String) -> JSON?

    /// The problem with the value of an argument; nil if there is none.
    func problem(_ value: TemplateValue, _ type: TypeReference) -> String? {
      problem(value, type.wrapping, schema.namedType(type.name))
    }

    private func problem(
      _ value: TemplateValue, _ wrapping: Wrapping, _ named: NamedType
    ) -> String? {
      switch value {
      // The generator has checked it.
      case .json: return nil
      case .variable(let name):
        guard let json = variables(name) else {
          return wrapping.outermost == .nonNull ? "the variable `$\(name)` needs a value" : nil
        }
        return problem(json, wrapping, named).map { "the variable `$\(name)`: \($0)" }
      case .list(let elements):
        let element = wrapping.nullable.outermost == .list ? wrapping.nullable.inner : wrapping
        return elements.lazy.compactMap { problem($0, element, named) }.first
      case .object(let fields):
        return fields.lazy.compactMap { argument in
          field(argument.name, of: named).flatMap {
            problem(argument.value, $0.type.wrapping, $0.named)
          }
        }.first
      }
    }

    /// Specification: 3.5 Scalars, 3.10 Input Objects, 3.11 List, Input Coercion.
    private func problem(_ json: JSON, _ wrapping: Wrapping, _ named: NamedType) -> String? {
      let nullable = wrapping.nullable
      switch json {
      case .null:
        return wrapping.outermost == .nonNull ? "null where the schema requires a value" : nil
      case .array(let elements) where nullable.outermost == .list:
        return elements.lazy.compactMap { problem($0, nullable.inner, named) }.first
      case _ where nullable.outermost == .list: return problem(json, nullable.inner, named)
      case .object(let object):
        guard case .input = named else { return leafProblem(json, named) }
        return object.lazy.compactMap { member in
          guard let field = field(member.key, of: named) else {
            return "there is no field `\(member.key)`"
          }
          return problem(member.value, field.type.wrapping, field.named)
            .map { "`\(member.key)`: \($0)" }
        }.first
      default: return leafProblem(json, named)
      }
    }

    private func leafProblem(_ json: JSON, _ named: NamedType) -> String? {
      var writer = JSONWriter()
      writer.value(json)
      guard let document = try? JSONDocument(parsing: writer.finish()) else {
        return "lists and objects are nested too deep"
      }
      return LeafCheck(document).problem(JSONDocument.rootIndex, named)
    }

    private func field(_ name: String, of named: NamedType) -> FieldInfo? {
      guard case .input(let position) = named else { return nil }
      return schema.type(at: position).field(name)
    }
  }
}

extension GraphQL.Wrapping {
  /// Without the outermost layer if that is non-null.
  fileprivate var nullable: GraphQL.Wrapping { outermost == .nonNull ? inner : self }
}
