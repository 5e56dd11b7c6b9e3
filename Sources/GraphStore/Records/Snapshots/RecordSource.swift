import GraphJSON
import GraphQLRuntime

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
