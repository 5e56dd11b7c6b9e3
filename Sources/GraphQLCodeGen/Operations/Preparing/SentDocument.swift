#if !ONE_MODULE
  import GraphJSON
  package import GraphQLSchema
#endif

/// The text of an operation or fragment as it is sent: it, then the fragments that it reaches in the
/// order of their first use (depth first).
struct SentDocument {
  let text: String
  /// The fragments after the first definition, by name.
  let fragments: [String]

  /// The SHA-256 hash of the text in lower-case hexadecimal digits.
  var hash: String { SHA256.hexDigest(text) }
}

/// The completed fragments of a program, and the texts of what uses them.
struct CompletedFragments {
  private(set) var definitions: [String: FragmentDefinition] = [:]
  private var texts: [String: [UInt8]] = [:]
  private var uses: [String: [String]] = [:]

  mutating func add(_ fragment: FragmentDefinition) {
    definitions[fragment.name] = fragment
    texts[fragment.name] = fragment.compact
    uses[fragment.name] = fragment.selectionSet.spreads.map(\.name)
  }

  /// With the fragments that were added to those of other modules.
  func withAdded(_ keys: @autoclosure () -> TypeKeys) -> CompletedFragments {
    let spreads = definitions.values.flatMap(\.selectionSet.spreads)
    let missing = spreads.filter { !$0.range.isKnown && definitions[$0.name] == nil }
    if missing.isEmpty { return self }
    var all = self
    for fragment in keys().fragments(addedBy: missing) { all.add(fragment.definition) }
    return all
  }

  /// The document of an operation.
  ///
  /// - Parameter spreads: The fragments that it spreads.
  func sent(_ operation: OperationDefinition, spreads: [String]) -> SentDocument {
    sent(operation.compact, spreads, first: nil)
  }

  /// The document of a fragment.
  func sent(fragment name: String) -> SentDocument {
    sent(texts[name] ?? [], uses[name] ?? [], first: name)
  }

  private func sent(_ text: [UInt8], _ names: [String], first: String?) -> SentDocument {
    var text = text
    let order = reached(from: names, first: first)
    for name in order { text += texts[name] ?? [] }
    return SentDocument(text: String(decoding: text, as: UTF8.self), fragments: order)
  }

  /// The fragments that the selections reach, in the order of their first use.
  ///
  /// - Parameter fragment: that of the selections, which is left out.
  func reached(from set: Document.SelectionSet, of fragment: String? = nil) -> [String] {
    reached(from: set.spreads.map(\.name), first: fragment)
  }

  private func reached(from names: [String], first: String?) -> [String] {
    if names.isEmpty { return [] }
    var visited = Set(first.map { [$0] } ?? [])
    var order: [String] = []
    var pending = Array(names.reversed())
    while let name = pending.popLast() {
      guard visited.insert(name).inserted else { continue }
      order.append(name)
      pending += (uses[name] ?? []).reversed()
    }
    return order
  }
}

extension OperationsPipeline {
  /// Documents with the type names and keys that are added to what is sent, and with the fragments for keys.
  ///
  /// - Parameter documents: without client directives. They may have errors.
  package func sent(_ documents: [Document], of schema: ServiceSchema) -> [Document] {
    let selected = SchemaFilter.select(from: schema, configuration: configuration).schema
    var completion = DocumentCompletion(
      schema: schema, selected: selected, isWhole: true, configuration: configuration,
      program: ProgramDocuments(sources: [], documents: documents))
    var completed = documents.map { document in
      var document = document
      document.definitions = document.definitions.map { completion.complete($0) }
      return document
    }
    guard let last = completed.indices.last else { return [] }
    let spreads = completed.flatMap(\.definitions).flatMap { $0.selectionSet?.spreads ?? [] }
    let added = TypeKeys(schema: selected, configuration: configuration).fragments(
      addedBy: spreads)
    completed[last].definitions += added.map { .fragment($0.definition) }
    return completed
  }
}
