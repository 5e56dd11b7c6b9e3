import GraphQLRuntime
import GraphStorage

extension Graph.Store: Graph.ObjectReading {
  public var _reader: Graph.ObjectReader { committedState._reader }

  /// The committed state. It does not keep the store's writer alive.
  package var committedState: CommittedState { CommittedState(committed: committed) }

  /// Whether the type's objects have a key and are not roots.
  package func isEntity(_ typeName: String) -> Bool { committed.policies.isEntity(typeName) }

  /// Whether objects of some types must not be in the file.
  package var keepsSomeInMemory: Bool { !committed.policies.areAllStored }

  /// The number of objects of each type that has any.
  public func counts() throws(Graph.StoreError) -> [String: Int] {
    try committed.withSnapshot { snapshot throws(Graph.StoreError) in try snapshot.counts() }
  }

  /// The key of an object of a response, or of the store; nil for one whose type has no key, or
  /// whose key fields were not selected.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  public func key<Object: GraphQL.AbstractResponse>(
    of object: Object
  ) throws(Graph.StoreError) -> GraphQL.EntityKey? {
    let policies = committed.policies
    let planner = policies.makePlanner()
    let (json, index) = object._stored
    return planner.plan(ofType: try policies.typeName(of: type(of: object)))?
      .key(of: json, at: index)
  }
}

/// The committed state of a store, read-only.
package struct CommittedState: Graph.ObjectReading, Sendable {
  let committed: CommittedRecords

  package var _reader: Graph.ObjectReader {
    Graph.ObjectReader(policies: committed.policies, reading: committed)
  }
}
