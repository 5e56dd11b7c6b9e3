extension GraphQL {
  /// What an operation asks of one object of one type (specification: 6.3.3 Field Collection),
  /// flattened from its selection sets and fragments. Made once per response and place.
  final class CollectedFields {
    let type: TypeInfo
    private(set) var fields: [CollectedField] = []
    private var positions: [String: Int] = [:]

    /// - Parameters:
    ///   - sets: the selection sets that apply to the object.
    ///   - type: the object's type, or the abstract type of the field where the object's own type is
    ///     unknown.
    init(_ sets: [SelectionSet], of type: TypeInfo, in schema: SchemaTable) {
      self.type = type
      for set in sets { gather(set, in: schema, isCertain: true) }
    }

    func position(of name: UnsafeBufferPointer<UInt8>) -> Int? {
      positions[String(decoding: name, as: UTF8.self)]
    }

    /// - Parameter isCertain: false below a type condition that may or may not hold.
    private func gather(_ set: SelectionSet, in schema: SchemaTable, isCertain: Bool) {
      for entry in set.entries {
        switch entry {
        case .field(let field) where field.directives.include:
          add(field, isCertain: isCertain)
        case .inlineFragment(let condition, let directives, let inner) where directives.include:
          gather(inner, on: condition, in: schema, isCertain: isCertain)
        case .spread(let fragment, let directives) where directives.include:
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
        // An object of an unknown type: whether the condition holds is for the server to know.
        gather(set, in: schema, isCertain: false)
      }
    }

    private func add(_ field: SelectionSet.Field, isCertain: Bool) {
      let position = positions[field.responseName] ?? fields.count
      if position == fields.count {
        positions[field.responseName] = position
        fields.append(CollectedField(field, info: type.field(field.name) ?? field.info))
      }
      if isCertain { fields[position].isRequired = true }
      if let set = field.selectionSet { fields[position].sets.append(set) }
    }
  }

  /// One response name of an object.
  final class CollectedField {
    /// The response name's UTF-8.
    let key: [UInt8]
    let name: String
    let arguments: [Argument]
    let rawArguments: String?
    /// nil for `__typename`.
    let info: FieldInfo?
    var isRequired = false
    var sets: [SelectionSet] = []
    /// What is asked of the objects below, by the position of their type in the table.
    private var collected: [Int: CollectedFields] = [:]

    init(_ field: SelectionSet.Field, info: FieldInfo?) {
      key = Array(field.responseName.utf8)
      name = field.name
      arguments = field.arguments
      rawArguments = field.rawArguments
      self.info = info
    }

    func fields(of type: TypeInfo, in schema: SchemaTable) -> CollectedFields {
      if let known = collected[type.index] { return known }
      let fields = CollectedFields(sets, of: type, in: schema)
      collected[type.index] = fields
      return fields
    }
  }
}
