import GraphQLRuntime

extension Graph.Store {
  /// Keeps an object, and every object to which it leads, from being evicted, until the token is
  /// released. Observed objects are kept as well.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  public func pin(
    _ type: GraphQL.AbstractResponse.Type, key: String
  ) throws(Graph.StoreError) -> Graph.PinToken {
    Graph.PinToken(pins: pins, key: try committed.policies.key(type, key))
  }

  /// Lets the writer keep the file within the budget.
  func startEvicting(_ budget: Int) {
    let evictor = Evictor(budget: budget) { [hub, pins, publisher] in
      hub.observedKeys.union(pins.keys).union(publisher.keys)
    }
    writer.afterCommit { [weak writer] connection in
      // If a size cannot be read, it is read again after the next commit.
      guard let size = try? connection.usedBytes(), evictor.needsStep(size) else { return }
      writer?.perform {
        try evictor.step($0)
      } completion: { _ in
      }
    }
  }
}

extension Graph {
  /// Keeps an object from being evicted until it is released.
  public final class PinToken: Sendable {
    private let pins: Pins
    private let key: GraphQL.EntityKey

    init(pins: Pins, key: GraphQL.EntityKey) {
      self.pins = pins
      self.key = key
      pins.add(key)
    }

    deinit { pins.remove(key) }
  }
}

/// The pinned entities and the number of their pins.
final class Pins: Sendable {
  private let counts = Locked<[GraphQL.EntityKey: Int]>([:])

  var keys: Set<GraphQL.EntityKey> { counts.withLock { Set($0.keys) } }

  func add(_ key: GraphQL.EntityKey) { counts.withLock { $0[key, default: 0] += 1 } }

  func remove(_ key: GraphQL.EntityKey) {
    counts.withLock { counts in
      let count = (counts[key] ?? 1) - 1
      counts[key] = count > 0 ? count : nil
    }
  }
}
