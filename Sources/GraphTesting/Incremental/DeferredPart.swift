import GraphJSON
import GraphQLExecution
import GraphQLSchema

/// A part of a result that is delivered after the rest.
struct DeferredPart: Sendable {
  enum Content: Sendable {
    /// A fragment with `@defer`.
    case fields(JSON.Object)
    /// A list with `@stream`: the items from a position on.
    case items([JSON], from: Int)
  }

  let path: [ResponsePath.Element]
  let label: String?
  var content: Content
  var errors: [ExecutionError] = []
  /// The parts inside this one, by their positions among all parts.
  var inner: Range<Int> = 0..<0

  /// Whether the value at a path is delivered with this part.
  func holds(_ position: [ResponsePath.Element]) -> Bool {
    guard position.count > path.count, position.starts(with: path) else { return false }
    switch (content, position[path.count]) {
    case (.fields(let fields), .name(let name)): return fields[name] != nil
    case (.items(_, let start), .index(let index)): return index >= start
    default: return false
    }
  }
}

/// A result, split into parts according to `@defer` and `@stream`.
struct PartedResult: Sendable {
  var initial: ExecutionResult
  /// The parts that the initial result announces.
  let announced: Range<Int>
  /// Outer ones before nested ones.
  var parts: [DeferredPart]

  /// - Returns: nil if there is nothing to deliver later.
  init?(
    _ result: ExecutionResult, of operation: OperationDefinition, in document: Document,
    schema: ServiceSchema, variables: JSON.Object
  ) {
    guard case .object(let data)? = result.data else { return nil }
    var splitter = ResultSplitter(
      document: document, operation: operation, schema: schema, variables: variables)
    initial = result
    initial.data = splitter.keep(data, of: [operation.selectionSet])
    announced = 0..<splitter.deferralCount
    parts = splitter.parts()
    guard !parts.isEmpty else { return nil }
    initial.errors = []
    for error in result.errors {
      // Inner parts come later, so the last one that contains the position is the closest.
      let path = error.path?.elements ?? []
      if let index = parts.lastIndex(where: { $0.holds(path) }) {
        parts[index].errors.append(error)
      } else {
        initial.errors.append(error)
      }
    }
  }
}
