import GraphJSON
import GraphQLRuntime

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
