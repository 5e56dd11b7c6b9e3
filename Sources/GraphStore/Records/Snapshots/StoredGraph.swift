import GraphJSON
import GraphQLRuntime

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

extension Policies {
  /// A record with only the key's fields.
  func placeholder(for key: GraphQL.EntityKey) -> JSONDocument {
    let fields = policy(ofType: key.typeName).key ?? []
    var values = [key.key]
    if fields.count > 1, case .array(let elements)? = try? JSON(parsing: Array(key.key.utf8)) {
      values = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("__typename")
    writer.string(key.typeName)
    for (field, value) in zip(fields, values) {
      writer.key(field)
      writer.string(value)
    }
    writer.endObject()
    do {
      return try JSONDocument(parsing: writer.finish())
    } catch {
      preconditionFailure("a writer's text is JSON: \(error)")
    }
  }
}
