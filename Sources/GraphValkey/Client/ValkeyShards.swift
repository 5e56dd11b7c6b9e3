import GraphClient

/// Divides the keys of a namespace over the servers of a cluster.
///
/// A cluster requires that all keys of a command are in the same of its 16,384 slots. So the names of all keys of a
/// shard contain the same text in braces, which alone determines the slot.
struct ValkeyShards: Sendable {
  /// Never empty.
  let all: [ValkeyShard]

  init(
    _ configuration: Graph.ValkeyConfiguration, _ library: HiredisLibrary
  ) throws(Graph.ValkeyError) {
    let namespace = configuration.namespace
    guard case .cluster(_, let count) = configuration.topology else {
      all = [try ValkeyShard(configuration, library, ValkeyKeys(prefix: namespace))]
      return
    }
    precondition(1...64 ~= count, "a cluster must have 1 to 64 shards")
    guard !namespace.contains(where: { "{}".contains($0) }) else {
      throw Graph.ValkeyError(
        .invalidConfiguration, message: "the namespace of a cluster must not contain braces")
    }
    guard configuration.database == 0 else {
      throw Graph.ValkeyError(
        .invalidConfiguration, message: "a cluster has only the database with the number 0")
    }
    var all: [ValkeyShard] = []
    for index in 0..<count {
      let tag = HashSlot.tag(namespace, shard: index, of: count)
      all.append(try ValkeyShard(configuration, library, ValkeyKeys(prefix: "{\(tag)}")))
    }
    self.all = all
  }

  /// The shard with the response and all that belongs to it.
  func shard(of key: Graph.CacheKey) -> ValkeyShard { shard("\(key.scope):\(key.name)") }

  /// The shard with the budget of a scope.
  func shard(ofBudget scope: String) -> ValkeyShard { shard(scope) }

  private func shard(_ name: String) -> ValkeyShard {
    all.count == 1 ? all[0] : all[HashSlot.of(name.utf8) % all.count]
  }
}

extension ValkeyShards {
  /// Does the same with all shards at the same time.
  ///
  /// - Throws: the first error, after all have ended.
  func forEach(
    _ body: @escaping @Sendable (ValkeyShard) async throws(Graph.ValkeyError) -> Void
  ) async throws(Graph.ValkeyError) {
    if all.count == 1 { return try await body(all[0]) }
    let failure = await withTaskGroup(of: Graph.ValkeyError?.self) { group in
      for shard in all {
        group.addTask {
          do throws(Graph.ValkeyError) {
            try await body(shard)
            return nil
          } catch {
            return error
          }
        }
      }
      var failure: Graph.ValkeyError?
      for await error in group { failure = failure ?? error }
      return failure
    }
    if let failure { throw failure }
  }
}
