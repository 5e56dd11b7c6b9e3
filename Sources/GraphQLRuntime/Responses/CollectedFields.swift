import GraphJSON

extension GraphQL {
  /// The fields that an operation selects on one object of one type (specification: 6.3.3 Field
  /// Collection), flattened from its selection sets and fragments. Created once per response and
  /// position.
  package final class CollectedFields {
    let type: TypeInfo
    package private(set) var fields: [CollectedField] = []
    private var positions: [String: Int] = [:]
    /// Collected fragments, and whether their type condition is certainly true.
    private var visited: (certain: Set<ObjectIdentifier>, possible: Set<ObjectIdentifier>) = (
      [], []
    )

    /// - Parameters:
    ///   - sets: the selection sets that apply to the object.
    ///   - type: the object's type, or the abstract type of the field where the object's own type is
    ///     unknown.
    package init(_ sets: [SelectionSet], of type: TypeInfo, in schema: SchemaTable) {
      self.type = type
      for set in sets { gather(set, in: schema, isCertain: true) }
    }

    /// - Parameter sets: those of a field, and whether each certainly applies to the field's object.
    fileprivate init(
      _ sets: [(set: SelectionSet, isCertain: Bool)], of type: TypeInfo, in schema: SchemaTable
    ) {
      self.type = type
      // An object that only one set can have brought has everything in it.
      let isOnly = sets.count == 1
      for (set, isCertain) in sets { gather(set, in: schema, isCertain: isCertain || isOnly) }
    }

    /// The position of the field for a response's key.
    func position(of key: Int, in json: JSONDocument) -> Int? {
      // Swift compares strings by Unicode equivalence; here the bytes decide.
      guard let position = positions[json.string(at: key)],
        fields[position].matches(key, in: json)
      else { return nil }
      return position
    }

    /// - Parameter isCertain: false below a type condition that may be true or false.
    private func gather(_ set: SelectionSet, in schema: SchemaTable, isCertain: Bool) {
      for entry in set.entries {
        switch entry {
        case .field(let field) where field.directives.include:
          add(field, in: schema, isCertain: isCertain)
        case .inlineFragment(let condition, let directives, let inner) where directives.include:
          gather(
            inner, on: condition, in: schema, isCertain: isCertain && !directives.mayComeLater)
        case .spread(let fragment, let directives) where directives.include:
          let isCertain = isCertain && !directives.mayComeLater
          guard visit(fragment, isCertain: isCertain) else { continue }
          gather(
            fragment.selectionSet, on: fragment.type?.name ?? type.name, in: schema,
            isCertain: isCertain)
        default: break
        }
      }
    }

    private func gather(
      _ set: SelectionSet, on condition: String, in schema: SchemaTable, isCertain: Bool
    ) {
      if schema.applies(condition, to: type) {
        gather(set, in: schema, isCertain: isCertain)
      } else if type.isAbstract, schema.type(named: condition)?.isAbstract == true {
        // An object of an unknown type: only the server knows whether the condition is true.
        gather(set, in: schema, isCertain: false)
      }
    }

    private func visit(_ fragment: FragmentDefinition, isCertain: Bool) -> Bool {
      let identifier = ObjectIdentifier(fragment)
      if visited.certain.contains(identifier) { return false }
      return isCertain
        ? visited.certain.insert(identifier).inserted
        : visited.possible.insert(identifier).inserted
    }

    private func add(
      _ field: SelectionSet.Field, in schema: SchemaTable, isCertain: Bool
    ) {
      let position = positions[field.responseName] ?? fields.count
      if position == fields.count {
        positions[field.responseName] = position
        fields.append(
          CollectedField(field, info: type.field(field.name) ?? field.info, in: schema))
      }
      if isCertain { fields[position].isRequired = true }
      if let set = field.selectionSet { fields[position].merged.append((set, isCertain)) }
    }
  }

  /// One response name of an object.
  package final class CollectedField {
    /// The response name's UTF-8.
    package let key: [UInt8]
    package let name: String
    package let arguments: [Argument]
    package let rawArguments: String?
    package let directives: [AppliedDirective]
    /// nil for `__typename`.
    package let info: FieldInfo?
    /// The type of the nested objects; nil for a field with a value.
    let type: TypeInfo?
    package fileprivate(set) var isRequired = false
    /// The selection sets on the nested objects. A set is not certain in a fragment that may not apply, or may
    /// come later.
    fileprivate var merged: [(set: SelectionSet, isCertain: Bool)] = []
    /// The selections on the nested objects, by their types. A list of one or a few.
    private var collected: [CollectedFields] = []

    init(_ field: SelectionSet.Field, info: FieldInfo?, in schema: SchemaTable) {
      key = Array(field.responseName.utf8)
      name = field.name
      arguments = field.arguments
      rawArguments = field.rawArguments
      directives = field.directives
      self.info = info
      type = info.flatMap { schema.type(of: $0) }
    }

    package var sets: [SelectionSet] { merged.map(\.set) }

    @inline(__always)
    func matches(_ index: Int, in json: JSONDocument) -> Bool {
      json.stringEquals(index, key)
    }

    func fields(of type: TypeInfo, in schema: SchemaTable) -> CollectedFields {
      if let known = collected.first(where: { $0.type === type }) { return known }
      let fields = CollectedFields(merged, of: type, in: schema)
      collected.append(fields)
      return fields
    }
  }
}

extension GraphQL {
  /// The key under which a field is stored: its name, then its arguments in canonical JSON, then the
  /// directives that may give it another value.
  package enum StorageKey {
    package static func text(
      _ name: String, _ arguments: [Argument], raw: String?, _ directives: [AppliedDirective]
    ) -> String {
      directives.filter { !passive.contains($0.name) }.reduce(text(name, arguments, raw: raw)) {
        "\($0)@\(text($1.name, $1.arguments, raw: nil))"
      }
    }

    /// Directives that control whether and when a field arrives, not its value.
    private static let passive: Set<String> = ["include", "skip", "defer", "stream"]

    private static func text(_ name: String, _ arguments: [Argument], raw: String?) -> String {
      // Raw arguments are text that was not parsed, so they are a key of their own.
      if let raw { return name + raw }
      guard !arguments.isEmpty else { return name }
      var object = JSON.Object()
      for argument in arguments { object[argument.name] = json(argument.value) }
      return text(name, .object(object))
    }

    /// The key of a field with arguments as a JSON object.
    package static func text(_ name: String, _ arguments: JSON) -> String {
      "\(name)(\(canonical(arguments)))"
    }

    /// The name of the field in a storage key.
    package static func fieldName(_ key: String) -> String {
      key.firstIndex { $0 == "(" || $0 == "@" }.map { String(key[..<$0]) } ?? key
    }

    /// The arguments in a storage key; nil for raw arguments and for a key with directives.
    package static func arguments(_ key: String) -> JSON? {
      let name = fieldName(key)
      let rest = key.dropFirst(name.count)
      if rest.isEmpty { return [:] }
      guard rest.first == "(", rest.last == ")" else { return nil }
      return try? JSON(parsing: Array(rest.dropFirst().dropLast().utf8))
    }

    /// Whether two arguments are equal, whatever the order of their members.
    package static func isSame(_ left: JSON, _ right: JSON) -> Bool {
      canonical(left) == canonical(right)
    }

    package static func json(_ value: any InputValue) -> JSON {
      var writer = ValueWriter(.json)
      value._write(to: &writer)
      // An operation whose arguments cannot be written is never created.
      return (try? JSON(parsing: writer.bytes)) ?? .null
    }

    /// Names sorted at every level. An argument is as deep as the query's author wrote it.
    private static func canonical(_ json: JSON) -> JSON {
      switch json {
      case .object(let object):
        .object(
          JSON.Object(
            object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
              .map { JSON.Object.Member(key: $0.key, value: canonical($0.value)) }))
      case .array(let elements): .array(elements.map(canonical))
      case .null, .bool, .number, .string: json
      }
    }
  }
}
