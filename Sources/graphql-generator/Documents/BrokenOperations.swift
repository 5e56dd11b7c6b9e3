import GraphJSON
import GraphQLCodeGen
import GraphQLSchema

/// An operation that is valid for one schema and not for another.
struct BrokenOperation {
  let name: String
  /// The position of its name.
  let position: SourcePosition?
  /// The errors that the other schema adds.
  let errors: [Diagnostic]

  /// The operations that a change of the schema breaks, in the order of the documents.
  static func all(
    in sources: [Source], from old: ServiceSchema, to new: ServiceSchema
  ) throws(Diagnostics) -> [BrokenOperation] {
    let (parsed, errors) = Document.parse(sources)
    if !errors.isEmpty { throw Diagnostics(errors) }
    let documents = parsed.map(ClientDirectives.foreign(old).removed)
    let fragments = documents.fragmentsByName
    return documents.flatMap(\.operations).compactMap { operation in
      let document = operation.document(with: fragments)
      guard document.validate(against: old, sources: sources).isEmpty else { return nil }
      let errors = document.validate(against: new, sources: sources)
        .filter { $0.severity == .error }
      guard !errors.isEmpty else { return nil }
      return BrokenOperation(
        name: operation.name ?? operation.operationType.rawValue,
        position: sources.position(
          of: operation.name == nil ? operation.range : operation.nameRange), errors: errors)
    }
  }

  /// The name and, below it, the errors.
  var lines: [String] {
    let place = position.map { " (\($0.source):\($0.line))" } ?? ""
    return ["\(name)\(place)"]
      + errors.map { error in
        let place = error.position.map { "\($0.source):\($0.line):\($0.column): " } ?? ""
        return "  \(place)\(error.message)"
      }
  }

  var json: JSON {
    var members: JSON.Object = ["name": .string(name)]
    members["file"] = position.map { .string($0.source) }
    members["line"] = position.map { JSON($0.line) }
    members["errors"] = .array(
      errors.map { error in
        var members: JSON.Object = ["code": .string(error.code), "message": .string(error.message)]
        members["file"] = error.position.map { .string($0.source) }
        members["line"] = error.position.map { JSON($0.line) }
        members["column"] = error.position.map { JSON($0.column) }
        return .object(members)
      })
    return .object(members)
  }
}

extension OperationDefinition {
  /// The operation and the fragments that it reaches.
  fileprivate func document(with fragments: [String: FragmentDefinition]) -> Document {
    var definitions: [Document.Definition] = [.operation(self)]
    var known: Set<String> = []
    var pending = selectionSet.spreads
    while let spread = pending.popLast() {
      guard known.insert(spread.name).inserted, let fragment = fragments[spread.name] else {
        continue
      }
      definitions.append(.fragment(fragment))
      pending += fragment.selectionSet.spreads
    }
    return Document(definitions: definitions)
  }
}
