import GraphJSON
import GraphQLRuntime

/// The keys of objects of transient types that must not be in a file after their operations have
/// ended. They are known as long as the outbox is open.
final class TransientKeys: Sendable {
  /// A change that is made when its transaction is committed.
  enum Change: Sendable {
    /// The server has created the object of a temporary key.
    case created(temporary: String, key: String)
    /// An operation on the object has ended; its receipt has no key.
    case ended(operation: String, GraphQL.EntityKey)
    /// The receipt was deleted.
    case forgotten(operation: String)
  }

  private struct State {
    var keys: [ExactKey: String] = [:]
    var entities: [String: GraphQL.EntityKey] = [:]
    var operations: [GraphQL.EntityKey: Set<String>] = [:]
  }

  private let state = Locked(State())

  func apply(_ changes: [Change]) {
    if changes.isEmpty { return }
    state.withLock { state in
      for change in changes {
        switch change {
        case .created(let temporary, let key): state.keys[ExactKey(temporary)] = key
        case .ended(let operation, let entity):
          state.entities[operation] = entity
          state.operations[entity, default: []].insert(operation)
        case .forgotten(let operation):
          guard let entity = state.entities.removeValue(forKey: operation) else { continue }
          state.operations[entity]?.remove(operation)
          if state.operations[entity] == [] { state.operations[entity] = nil }
        }
      }
    }
  }

  /// The server's key of an object that had a temporary one.
  func key(for temporary: String) -> String? { state.withLock { $0.keys[ExactKey(temporary)] } }

  /// The object of an ended operation.
  func entity(of operation: String) -> GraphQL.EntityKey? {
    state.withLock { $0.entities[operation] }
  }

  /// The ended operations on an object that have receipts.
  func operations(on entity: GraphQL.EntityKey) -> Set<String> {
    state.withLock { $0.operations[entity] ?? [] }
  }

  func removeAll() { state.withLock { $0 = State() } }
}

extension Graph.TemporaryKey {
  /// The temporary keys that are values of the variables, each once, in their order.
  static func keys(in variables: JSON) -> [String] {
    var found: [String] = []
    var seen: Set<ExactKey> = []
    _ = variables.mapStrings { text in
      if isTemporary(text), seen.insert(ExactKey(text)).inserted { found.append(text) }
      return text
    }
    return found
  }
}

extension JSON {
  /// The value with another text in place of each text that equals `text`. A text that only
  /// contains it stays unchanged.
  func replacing(_ text: String, with other: String) -> JSON {
    mapStrings { $0.hasSameBytes(as: text) ? other : $0 }
  }

  /// The recursion is as deep as the value, which the parser limits.
  fileprivate func mapStrings(_ transform: (String) -> String) -> JSON {
    switch self {
    case .string(let text): .string(transform(text))
    case .array(let elements): .array(elements.map { $0.mapStrings(transform) })
    case .object(let object):
      .object(
        JSON.Object(
          object.members.map {
            JSON.Object.Member(key: $0.key, value: $0.value.mapStrings(transform))
          }))
    default: self
    }
  }
}
