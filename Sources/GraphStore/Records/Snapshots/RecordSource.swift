import GraphJSON
import GraphQLRuntime
import GraphStorage

/// The source of records: a snapshot of committed data, or an open transaction.
protocol RecordSource {
  var policies: Policies { get }

  func record(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument?

  /// Calls `body` with the records of a type in the order of their insertion, until it returns
  /// false.
  func forEachRecord(
    ofType name: String, _ body: (String, JSONDocument) throws(Graph.StoreError) -> Bool
  ) throws(Graph.StoreError)

  func count(ofType name: String) throws(Graph.StoreError) -> Int

  /// Calls `body` with the records in a range of an index until it returns false.
  ///
  /// - Returns: false if the records have no such index here; `body` was not called then.
  func forEachRecord(
    ofType name: String, by query: IndexQuery,
    _ body: (String, JSONDocument) throws(Graph.StoreError) -> Bool
  ) throws(Graph.StoreError) -> Bool
  /// The current errors of fields.
  var fieldErrors: FieldErrors { get throws(Graph.StoreError) }
}

extension RecordSource {
  var schema: GraphQL.SchemaTable { policies.schema }
}

/// A type that can provide a record source during a call.
protocol RecordReading {
  /// Several reads from one snapshot.
  func withRecords<T>(
    _ body: (any RecordSource) throws(Graph.StoreError) -> T
  ) throws(Graph.StoreError) -> T

  /// One record.
  func record(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument?

  /// The text of one record, without parsing it; nil if the record is available in another form.
  func text(of key: GraphQL.EntityKey) throws(Graph.StoreError) -> GraphQL.StoredRecords?

  /// The texts of a type's records in the order of their insertion, without parsing them; nil if
  /// the records are available in another form.
  func texts(
    ofType name: String, offset: Int, limit: Int?
  ) throws(Graph.StoreError) -> GraphQL.StoredRecords?

  /// Follows the links of a returned object.
  var links: StoredGraph { get }
}

// Records that were changed in a transaction, or kept in memory, are already parsed.
extension RecordReading {
  func text(of key: GraphQL.EntityKey) throws(Graph.StoreError) -> GraphQL.StoredRecords? { nil }

  func texts(
    ofType name: String, offset: Int, limit: Int?
  ) throws(Graph.StoreError) -> GraphQL.StoredRecords? { nil }
}

/// Follows the links of objects that were returned together; each target is read on first use.
///
/// Within one graph every entity is read once, so two paths to it agree.
final class StoredGraph: GraphQL.StoredLinks {
  typealias Loader = @Sendable (GraphQL.EntityKey) -> JSONDocument?

  private let policies: Policies
  private let load: Loader
  private let records = Locked<[GraphQL.EntityKey: JSONDocument]>([:])

  init(policies: Policies, load: @escaping Loader) {
    self.policies = policies
    self.load = load
  }

  func target(of index: Int, in json: JSONDocument) -> JSONDocument? {
    GraphQL.StoredLink.key(at: index, in: json).map(record)
  }

  /// The record of an entity; for a deleted one, its key.
  private func record(_ key: GraphQL.EntityKey) -> JSONDocument {
    if let known = records.withLock({ $0[key] }) { return known }
    let record =
      (key.isOfConnection ? connection(key) : load(key)) ?? policies.placeholder(for: key)
    return records.withLock { records in
      // Another thread may have been faster; its record is the one that was returned.
      if let known = records[key] { return known }
      records[key] = record
      return record
    }
  }

  private func connection(_ key: GraphQL.EntityKey) -> JSONDocument? {
    let key = ConnectionKey(head: key)
    do {
      var reader = try ConnectionReader(key: key, schema: policies.schema) { [load] in load($0) }
      return try reader?.whole()
    } catch {
      // A target that cannot be read counts as deleted.
      return nil
    }
  }
}
