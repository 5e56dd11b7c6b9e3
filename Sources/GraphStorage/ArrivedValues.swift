import GraphJSON
import GraphQLRuntime

extension GraphQL {
  /// Which values of a response have arrived with its last payload (`@defer` and `@stream`). Only these are stored, since
  /// earlier ones may have changed in the meantime, and a list only when all of it has arrived.
  package struct ArrivedValues: Sendable {
    /// The positions of the values that have arrived.
    private var values: Set<Int> = []
    /// The positions of the values around those, and around lists that are complete now or have failed.
    private var around: Set<Int> = []
    /// The positions of streamed lists of which more will arrive, or cannot.
    private var incomplete: Set<Int> = []
    private var complete: Set<Int> = []
    /// The positions of streamed lists of which more cannot arrive.
    private var failed: Set<Int> = []
    /// Whether the service announces lists, so that ``incomplete`` has all of them.
    private let areAnnounced: Bool
    private let hasNext: Bool

    /// nil if the response did not arrive in parts.
    package init?(_ context: ResponseContext, in json: JSONDocument, data: Int) {
      guard let arrived = context.arrived else { return nil }
      areAnnounced = context.announced != nil
      hasNext = context.hasNext
      for path in arrived {
        if let value = find(path, json, data) { values.insert(value) }
      }
      for path in context.completedLists {
        if let list = find(path, json, data) { complete.insert(list) }
      }
      for part in context.failed {
        if let list = find(part.path, json, data), json.kind(at: list) == .array {
          failed.insert(list)
        }
      }
      for part in context.failed.union(context.announced ?? []) {
        let list = part.path.reduce(data as Int?) { value, step in
          value.flatMap { json.child(step, of: $0) }
        }
        if let list { incomplete.insert(list) }
      }
    }

    /// The value with the path. The values on the way to it are noted.
    private mutating func find(
      _ path: [ResponsePathElement], _ json: JSONDocument, _ data: Int
    ) -> Int? {
      var value = data
      for step in path {
        around.insert(value)
        guard let next = json.child(step, of: value) else { return nil }
        value = next
      }
      return value
    }

    /// Whether the value has arrived as a whole.
    package func contains(_ value: Int) -> Bool { values.contains(value) }

    /// Whether the value or a part of it may have arrived, or a list in it may be complete now.
    package func mayChange(_ value: Int) -> Bool {
      contains(value) || around.contains(value) || complete.contains(value)
        || failed.contains(value) || !areAnnounced && !hasNext
    }

    /// Whether a streamed list is not, or not yet, complete.
    package func isIncomplete(_ list: Int) -> Bool {
      incomplete.contains(list) || !areAnnounced && hasNext
    }

    /// Whether the rest of a streamed list cannot arrive.
    package func hasFailed(_ list: Int) -> Bool { failed.contains(list) }

    /// Whether a streamed list is complete since the last payload.
    package func hasCompleted(_ list: Int) -> Bool {
      areAnnounced ? complete.contains(list) : !isIncomplete(list)
    }
  }
}

extension GraphQL {
  /// Finds the values that the errors of a response explain.
  package enum ErroredValues {
    /// The positions of the fields and elements of lists that an error made null, and of streamed lists that have
    /// failed.
    ///
    /// A null propagates to the nearest nullable position (specification: 6.4.4 Handling Execution
    /// Errors), so an error's path may continue below it.
    package static func positions(
      of errors: [ResponseError], in json: JSONDocument, data: Int, arrived: ArrivedValues? = nil
    ) -> Set<Int> {
      var positions: Set<Int> = []
      for error in errors {
        var value = data
        for step in error.path {
          guard let next = json.child(step, of: value) else { break }
          value = next
        }
        if json.isNull(at: value) || arrived?.hasFailed(value) == true { positions.insert(value) }
      }
      return positions
    }
  }
}

extension JSONDocument {
  /// The value at a step below another one; nil if there is none.
  func child(_ step: GraphQL.ResponsePathElement, of value: Int) -> Int? {
    switch (step, kind(at: value)) {
    case (.key(let name), .object): return member(name, of: value)
    case (.index(let ordinal), .array):
      guard ordinal >= 0, ordinal < count(at: value) else { return nil }
      var element = firstChild(of: value)
      for _ in 0..<ordinal { element = next(after: element) }
      return element
    default: return nil
    }
  }
}
