import GraphJSON
import GraphQLRuntime
import GraphStorage

/// The records that differ from the stored ones because of changes that a client expects.
struct ExpectedRecords: Sendable {
  struct Entry: Sendable {
    /// nil for a deleted entity.
    let json: JSONDocument?
    /// Whether the entity is stored.
    let isStored: Bool
  }

  private(set) var entries: [GraphQL.EntityKey: Entry] = [:]
  /// The entities that are not stored, in the order of their creation.
  private(set) var created: [GraphQL.EntityKey] = []
  /// The deleted entities. All records lose the links to them.
  var gone: Set<GraphQL.EntityKey> = []
  /// The links to deleted entities that stay, by their entities.
  var kept: [GraphQL.EntityKey: Set<GraphQL.EntityKey>] = [:]
  private var typeNames: Set<String> = []

  var isEmpty: Bool { entries.isEmpty && gone.isEmpty }

  mutating func set(_ key: GraphQL.EntityKey, _ entry: Entry) {
    entries[key] = entry
    typeNames.insert(key.typeName)
    if !entry.isStored, entry.json != nil { created.append(key) }
  }

  subscript(key: GraphQL.EntityKey) -> Entry? { entries[key] }

  /// Whether records of a type differ.
  func affects(_ typeName: String) -> Bool { typeNames.contains(typeName) }

  /// The types of objects whose records differ.
  var objectTypeNames: [String] {
    typeNames.filter { !$0.utf8.contains(UInt8(ascii: ".")) }
  }

  /// The number of created objects of a type, less that of deleted ones.
  func countChange(ofType name: String) -> Int {
    guard affects(name) else { return 0 }
    return entries.reduce(0) { count, element in
      guard element.key.typeName == name else { return count }
      return count + (element.value.json == nil ? 0 : 1) - (element.value.isStored ? 1 : 0)
    }
  }

  /// A record without the links to deleted entities.
  func hiding(
    _ json: JSONDocument, of key: GraphQL.EntityKey, _ planner: () -> GraphQL.StoragePlanner
  ) -> JSONDocument {
    guard !gone.isEmpty else { return json }
    let hidden = kept[key].map { gone.subtracting($0) } ?? gone
    guard json.links(in: JSONDocument.rootIndex).contains(where: hidden.contains),
      let plan = planner().plan(ofType: key.typeName)
    else { return json }
    var remover = LinkRemover(json: json, gone: hidden)
    return remover.record(plan).flatMap { JSONDocument(record: $0) } ?? json
  }
}

/// The records of expected changes for the last snapshot of each connection, since an object's links are read one
/// by one, and nearly always in the same state.
final class ExpectedRecordsCache: Sendable {
  private struct Entry: Sendable {
    /// Another connection may get the address of a closed one.
    weak var connection: DatabaseConnection?
    /// SQLite's number for the state of the file, which is comparable only for one connection.
    let dataVersion: Int64
    /// That of the state in memory.
    let version: UInt64
    let records: ExpectedRecords
  }

  private let entries = Locked<[ObjectIdentifier?: Entry]>([:])

  /// - Parameters:
  ///   - version: the state in memory.
  ///   - connection: one with a snapshot; nil for a store without a file.
  func records(
    for version: UInt64, on connection: DatabaseConnection?,
    make: () throws(Graph.StoreError) -> ExpectedRecords
  ) throws(Graph.StoreError) -> ExpectedRecords {
    let id = connection.map(ObjectIdentifier.init)
    let dataVersion = try connection?.integer(.dataVersion) ?? 0
    let known = entries.withLock { entries -> ExpectedRecords? in
      guard let entry = entries[id], entry.connection === connection, entry.version == version,
        entry.dataVersion == dataVersion
      else { return nil }
      return entry.records
    }
    if let known { return known }
    let records = try make()
    entries.withLock {
      $0[id] = Entry(
        connection: connection, dataVersion: dataVersion, version: version, records: records)
    }
    return records
  }

  func removeAll() { entries.withLock { $0 = [:] } }
}
