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
