import GraphJSON
import GraphQLRuntime

/// Where records are read from: a snapshot of what is committed, or an open transaction.
protocol RecordSource {
  var policies: Policies { get }

  func record(_ key: GraphQL.EntityKey) throws(StoreError) -> JSONDocument?

  /// Calls `body` with the records of a type in the order of their insertion, until it returns
  /// false.
  func forEachRecord(
    ofType name: String, _ body: (String, JSONDocument) throws(StoreError) -> Bool
  ) throws(StoreError)

  func count(ofType name: String) throws(StoreError) -> Int

  /// Calls `body` with the records in a range of an index until it returns false.
  ///
  /// - Returns: false where the records have no such index here; `body` was not called then.
  func forEachRecord(
    ofType name: String, by query: IndexQuery,
    _ body: (String, JSONDocument) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool
  /// The errors of fields that still stand.
  var fieldErrors: FieldErrors { get throws(StoreError) }
}

extension RecordSource {
  var schema: GraphQL.SchemaTable { policies.schema }
}

/// What can lend a record source for the time of a call.
protocol RecordReading {
  /// Several reads that agree with each other.
  func withRecords<T>(
    _ body: (any RecordSource) throws(StoreError) -> T
  ) throws(StoreError) -> T

  /// One record.
  func record(_ key: GraphQL.EntityKey) throws(StoreError) -> JSONDocument?

  /// The text of one record, without parsing it; nil where the record is at hand otherwise.
  func text(of key: GraphQL.EntityKey) throws(StoreError) -> GraphQL.StoredRecords?

  /// The texts of a type's records in the order of their insertion, without parsing them; nil where the
  /// records are at hand otherwise.
  func texts(
    ofType name: String, offset: Int, limit: Int?
  ) throws(StoreError) -> GraphQL.StoredRecords?

  /// Follows the links of an object that is handed out.
  var links: StoredGraph { get }
}

// What is changed in a transaction, or kept in memory, is parsed already.
extension RecordReading {
  func text(of key: GraphQL.EntityKey) throws(StoreError) -> GraphQL.StoredRecords? { nil }

  func texts(
    ofType name: String, offset: Int, limit: Int?
  ) throws(StoreError) -> GraphQL.StoredRecords? { nil }
}
