import GraphJSON
import GraphQLRuntime
import GraphStorage

/// Records that never reach a file: those of transient types, and all of a store without a file.
struct MemoryTable: Sendable {
  private struct Entry: Sendable {
    let ordinal: Int
    var json: JSONDocument
  }

  private var types: [String: [ExactKey: Entry]] = [:]
  private var nextOrdinal = 0
  /// When responses last contained the entities, in milliseconds since 1970.
  private var times: [GraphQL.EntityKey: Int64] = [:]
  /// The overlays of the entities here.
  var overlays = MemoryOverlays()
  /// The errors of fields of the entities here, and of fields that lead to them.
  var errors = FieldErrors()
  /// The fields of entities in the file that lead to entities here, see ``MemoryOnlyFields``.
  var memoryOnly: [GraphQL.EntityKey: JSONDocument] = [:]

  subscript(key: GraphQL.EntityKey) -> JSONDocument? {
    get { types[key.typeName]?[ExactKey(key.key)]?.json }
    set {
      guard let newValue else {
        types[key.typeName]?[ExactKey(key.key)] = nil
        times[key] = nil
        return
      }
      let ordinal = types[key.typeName]?[ExactKey(key.key)]?.ordinal ?? nextOrdinal
      if ordinal == nextOrdinal { nextOrdinal += 1 }
      types[key.typeName, default: [:]][ExactKey(key.key)] = Entry(
        ordinal: ordinal, json: newValue)
    }
  }

  /// The records of a type in the order of their insertion.
  func records(ofType name: String) -> [(key: String, json: JSONDocument)] {
    (types[name] ?? [:]).sorted { $0.value.ordinal < $1.value.ordinal }.map {
      ($0.key.text, $0.value.json)
    }
  }

  func count(ofType name: String) -> Int { types[name]?.count ?? 0 }

  func time(of key: GraphQL.EntityKey) -> Int64? { times[key] }

  /// Records that a response has contained an entity.
  mutating func note(_ key: GraphQL.EntityKey, at time: Int64) { times[key] = time }

  var counts: [String: Int] { types.mapValues(\.count).filter { $0.value > 0 } }

  mutating func removeAll() { types = [:] }
}

// A record in the file does not contain fields that lead to objects of types that are kept in memory.
// The link contains the object's key. The arguments of the field may contain the key even if the
// object does not exist. Such fields are kept in memory too, and are added when the record is read.
//
// In the same way, a record that stays at a logout loses the fields that lead to deleted objects.

/// Splits a record into the part for the file and the part that must stay in memory; or, at a logout, into the part that
/// stays and the one that is deleted.
struct MemoryOnlyFields {
  let policies: Policies
  /// The objects that a logout deletes, of any type; nil at other times.
  private let deleted: Set<GraphQL.EntityKey>?

  init(policies: Policies) {
    self.policies = policies
    deleted = nil
  }

  /// - Parameter deleted: the objects that a logout deletes.
  init(policies: Policies, deletedAtLogout deleted: Set<GraphQL.EntityKey>) {
    self.policies = policies
    self.deleted = deleted
  }

  /// - Parameter typeName: the type of the record.
  /// - Returns: the record for the file, and the fields that are kept in memory, as a record; nil
  ///   for a record that may be in the file unchanged.
  func split(
    _ record: JSONDocument, ofType typeName: String
  ) -> (stored: RecordText, memoryOnly: JSONDocument)? {
    var stored = ObjectBuilder()
    var memoryOnly = ObjectBuilder()
    var key = record.firstChild(of: JSONDocument.rootIndex)
    let end = record.end(of: JSONDocument.rootIndex)
    while key < end {
      let value = record.next(after: key)
      if leads(value, in: record)
        || mayNameTransientKey(key, value, in: record, ofType: typeName, hasArguments: false)
      {
        memoryOnly.append(key: record.source(at: key), value: record.source(at: value))
      } else {
        stored.append(key: record.source(at: key), value: record.source(at: value))
      }
      key = record.next(after: value)
    }
    guard !memoryOnly.isEmpty, let memoryOnly = JSONDocument(record: memoryOnly.finish()) else {
      return nil
    }
    return (RecordText(stored.finish()), memoryOnly)
  }

  /// Whether a value has a link to an entity that is kept in memory, or that a logout deletes. That entity may not be
  /// stored.
  private func leads(_ value: Int, in record: JSONDocument) -> Bool {
    record.links(in: value).contains { link in
      guard let deleted else { return policies.isTransient(link.typeName) }
      return deleted.contains(link) || policies.isDeletedAtLogout(link.typeName)
    }
  }

  /// Whether the arguments of a field may contain the key of an entity in memory although its value
  /// has no link to one. That is so if its type allows such an entity, it has arguments, and a
  /// requested object is missing. At a logout, also without arguments: there is none for this user.
  ///
  /// The recursion is as deep as the record.
  private func mayNameTransientKey(
    _ key: Int, _ value: Int, in record: JSONDocument, ofType typeName: String, hasArguments: Bool
  ) -> Bool {
    let storageKey = record.string(at: key)
    let field = GraphQL.StorageKey.fieldName(storageKey)
    let leads =
      deleted == nil
      ? policies.leadsToTransient(field, of: typeName) : policies.leadsToUser(field, of: typeName)
    guard leads else { return false }
    return hasGap(
      value, in: record, of: policies.schema.storedType(ofField: field, of: typeName)?.name ?? "",
      hasArguments: hasArguments || deleted != nil || field.utf8.count < storageKey.utf8.count)
  }

  /// - Parameter typeName: the declared type of the value.
  private func hasGap(
    _ value: Int, in record: JSONDocument, of typeName: String, hasArguments: Bool
  ) -> Bool {
    switch record.kind(at: value) {
    case .null: return hasArguments
    case .array:
      var element = record.firstChild(of: value)
      let end = record.end(of: value)
      if element == end { return hasArguments }
      while element < end {
        if hasGap(element, in: record, of: typeName, hasArguments: hasArguments) { return true }
        element = record.next(after: element)
      }
      return false
    case .object:
      if GraphQL.StoredLink.key(at: value, in: record) != nil { return false }
      let name = record.member("__typename", of: value).flatMap {
        record.kind(at: $0) == .string ? record.string(at: $0) : nil
      }
      if deleted != nil, isDeletedPart(name ?? typeName) { return true }
      var key = record.firstChild(of: value)
      let end = record.end(of: value)
      while key < end {
        let member = record.next(after: key)
        if mayNameTransientKey(
          key, member, in: record, ofType: name ?? typeName, hasArguments: hasArguments)
        {
          return true
        }
        key = record.next(after: member)
      }
      return false
    default: return false
    }
  }

  /// Whether a logout deletes a part of a record: an earlier version of the program may have written it, when its type
  /// had another policy. A connection has the number of its nodes, and cursors.
  private func isDeletedPart(_ typeName: String) -> Bool {
    policies.isDeletedAtLogout(typeName)
      || policies.schema.type(named: typeName)?.isConnection == true
  }
}

extension MemoryTable {
  /// The record of an entity in the file with the fields that are kept here.
  func completing(_ record: JSONDocument, of key: GraphQL.EntityKey) -> JSONDocument {
    memoryOnly.isEmpty ? record : memoryOnly[key].map(record.merging) ?? record
  }

  /// The record of the entity with a type's name and a key's text, with the fields that are kept here.
  func completing(_ record: JSONDocument, _ typeName: String, _ key: String) -> JSONDocument {
    memoryOnly.isEmpty
      ? record : completing(record, of: GraphQL.EntityKey(typeName: typeName, key: key))
  }

  /// The row of an entity in the file with the fields that are kept here.
  func completing(_ row: StoredRow, of key: GraphQL.EntityKey) -> StoredRow {
    guard !memoryOnly.isEmpty, let memoryOnly = memoryOnly[key], let json = row.record.json else {
      return row
    }
    return StoredRow(record: RecordText(json.merging(memoryOnly)), id: row.id)
  }
}
