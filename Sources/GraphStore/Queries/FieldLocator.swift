import GraphJSON
import GraphQLRuntime
import GraphStorage

/// The path of a field in records: the store's form of a key path.
struct FieldLocator: Sendable {
  /// The names of the fields: `price.amount`.
  let path: String
  private let steps: [[UInt8]]

  /// - Parameter isList: whether the last field has to be a list; no other may be one.
  /// - Throws: `unsupportedKeyPath` for a key path that is not a chain of fields, reads an alias,
  ///   or passes through a list.
  init<Object: GraphQL.AbstractResponse, Value>(
    _ keyPath: KeyPath<Object, Value>, isList: Bool = false
  ) throws(Graph.StoreError) {
    let path: GraphQL.FieldPath
    do {
      path = try GraphQL.FieldPath(keyPath)
    } catch {
      throw Graph.StoreError(.unsupportedKeyPath, "\(error)", cause: error)
    }
    if let step = path.steps.first(where: { $0.alias != nil }) {
      throw Graph.StoreError(
        .unsupportedKeyPath,
        "the store does not support aliases, but the key path reads `\(step.name)` by an alias")
    }
    let lists = path.lists(from: Object.self)
    if lists.dropLast().contains(true) || lists.last != isList {
      throw Graph.StoreError(
        .unsupportedKeyPath,
        isList
          ? "`\(path)` is not a list" : "`\(path)` goes through a list; use `any` for its elements")
    }
    self.path = path.description
    steps = path.steps.map { Array($0.name.utf8) }
  }

  /// The value of the field for the object at `index`; nil if the path to it is null or missing.
  func find(
    _ json: JSONDocument, _ index: Int, _ source: any RecordSource
  ) throws(Graph.StoreError) -> (json: JSONDocument, index: Int)? {
    guard var place = try Self.follow(json, index, source) else { return nil }
    for (position, step) in steps.enumerated() {
      let found = place.json.member(step, of: place.index)
      guard let found else { return nil }
      place.index = found
      if position == steps.count - 1 { break }
      guard let next = try Self.follow(place.json, found, source) else { return nil }
      place = next
    }
    return place
  }

  /// The object at `index`, or the one to which it links; nil if there is no object.
  private static func follow(
    _ json: JSONDocument, _ index: Int, _ source: any RecordSource
  ) throws(Graph.StoreError) -> (json: JSONDocument, index: Int)? {
    guard json.kind(at: index) == .object else { return nil }
    guard let key = GraphQL.StoredLink.key(at: index, in: json) else { return (json, index) }
    let target = try key.isOfConnection ? source.connection(key) : source.record(key)
    return target.map { ($0, JSONDocument.rootIndex) }
  }
}
