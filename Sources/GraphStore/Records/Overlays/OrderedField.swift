import GraphJSON
import GraphQLRuntime
import GraphStorage

/// A field of records by which a list is sorted.
struct OrderedField: Sendable {
  private let steps: [[UInt8]]
  private let kind: GraphQL.LeafKind

  /// nil if objects of the type have no such field with comparable values.
  init?(_ path: String, ofType typeName: String, _ schema: GraphQL.SchemaTable) {
    guard let kind = schema.leafKind(ofPath: path, inType: typeName) else { return nil }
    self.kind = kind
    steps = path.split(separator: ".").map { Array($0.utf8) }
  }

  /// The order of an edit; nil if it needs none.
  init?(of edit: ListEdit, _ schema: GraphQL.SchemaTable) {
    guard case .ordered(let path, _) = edit.place else { return nil }
    self.init(path, ofType: edit.key.typeName, schema)
  }

  /// The value of an object; nil for one that is not stored.
  func value(
    of key: GraphQL.EntityKey,
    load: (GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument?
  ) throws(Graph.StoreError) -> OrderedValue? {
    guard var json = try load(key) else { return nil }
    var object = JSONDocument.rootIndex
    for (position, step) in steps.enumerated() {
      guard let value = json.member(step, of: object) else { return .nothing }
      if position == steps.count - 1 { return OrderedValue(json, at: value, kind) }
      guard json.kind(at: value) == .object else { return .nothing }
      object = value
      if let link = GraphQL.StoredLink.key(at: value, in: json) {
        guard let target = try load(link) else { return .nothing }
        json = target
        object = JSONDocument.rootIndex
      }
    }
    return .nothing
  }
}
