import GraphJSON
import GraphQLRuntime
import GraphStorage

/// A list of objects under edits. The stored elements keep their order; removed ones are hidden.
struct EditedList {
  struct Item {
    let key: GraphQL.EntityKey?
    /// The position in the stored list; nil for an inserted object.
    let position: Int?
    var isHidden = false
  }

  private(set) var items: [Item]
  /// The objects of the items that are not hidden.
  private var visible: Set<GraphQL.EntityKey>
  /// The values by which the list is sorted, by the paths of edits.
  private var values: [String: [GraphQL.EntityKey: OrderedValue?]] = [:]

  /// - Parameter keys: the objects of the stored list, with nil for an element without a key.
  init(_ keys: [GraphQL.EntityKey?]) {
    items = keys.enumerated().map { Item(key: $1, position: $0) }
    visible = Set(keys.compactMap { $0 })
  }

  /// - Parameter value: the value of an object by which the list is sorted; nil for an object that is not stored.
  mutating func apply(
    _ edit: ListEdit,
    _ value: (GraphQL.EntityKey) throws(Graph.StoreError) -> OrderedValue?
  ) throws(Graph.StoreError) {
    if edit.place == .removed {
      guard visible.remove(edit.key) != nil else { return }
      items.removeAll { $0.position == nil && $0.key == edit.key }
      for place in items.indices where items[place].key == edit.key { items[place].isHidden = true }
      return
    }
    guard visible.insert(edit.key).inserted else { return }
    var place = items.endIndex
    switch edit.place {
    case .start: place = 0
    case .ordered(let path, let isDescending):
      var values = values.removeValue(forKey: path) ?? [:]
      defer { self.values[path] = values }
      func known(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> OrderedValue? {
        if let known = values[key] { return known }
        let new = try value(key)
        values[key] = .some(new)
        return new
      }
      let new = try known(edit.key) ?? .nothing
      for (position, item) in items.enumerated() {
        guard !item.isHidden, let key = item.key, let other = try known(key) else { continue }
        if isDescending ? other < new : new < other {
          place = position
          break
        }
      }
    case .end, .removed: break
    }
    items.insert(Item(key: edit.key, position: nil), at: place)
  }

  /// The visible objects of a part of the stored list. An inserted object belongs to the part with the stored
  /// element before it, or to the part with the start of the list.
  func items(of part: Range<Int>) -> [Item] {
    var last = -1
    return items.filter { item in
      if let position = item.position {
        last = position
        return part.contains(position) && !item.isHidden
      }
      return part.contains(last) || (last < 0 && part.lowerBound == 0)
    }
  }
}

extension JSONDocument {
  /// The record with edits of its lists, in their order. An object that is not stored is not added.
  ///
  /// - Parameter load: reads an entity as readers see it.
  func applying(
    _ edits: [ListEdit], to list: Graph.StoredList, _ schema: GraphQL.SchemaTable,
    load: (GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument?
  ) throws(Graph.StoreError) -> JSONDocument {
    var possible: [ListEdit] = []
    for edit in edits {
      let isPossible = edit.place == .removed ? true : try load(edit.key) != nil
      if isPossible { possible.append(edit) }
    }
    if possible.isEmpty { return self }
    var record = self
    var member = firstChild(of: JSONDocument.rootIndex)
    while member < end(of: JSONDocument.rootIndex) {
      let value = next(after: member)
      let storageKey = string(at: member)
      if kind(at: value) == .array, list.includes(storageKey) {
        var edited = EditedList(elements(of: value).map(\.key))
        for edit in possible {
          let order = OrderedField(of: edit, schema)
          try edited.apply(edit) { key throws(Graph.StoreError) in
            try order?.value(of: key, load: load)
          }
        }
        let text = self.text(of: edited, elements(of: value).map(\.index))
        record = record.replacing(Array(storageKey.utf8), with: text).json ?? record
      }
      member = next(after: value)
    }
    return record
  }

  private func elements(of list: Int) -> [(index: Int, key: GraphQL.EntityKey?)] {
    var elements: [(Int, GraphQL.EntityKey?)] = []
    var element = firstChild(of: list)
    while element < end(of: list) {
      let key =
        kind(at: element) == .object ? GraphQL.StoredLink.key(at: element, in: self) : nil
      elements.append((element, key))
      element = next(after: element)
    }
    return elements
  }

  private func text(of list: EditedList, _ elements: [Int]) -> [UInt8] {
    var builder = ListBuilder()
    for item in list.items where !item.isHidden {
      if let position = item.position {
        builder.append(source(at: elements[position]))
      } else if let key = item.key {
        builder.append(key.linkText)
      }
    }
    return builder.finish()
  }
}

// The edits of a connection are in the record of its head while they are expected.
extension JSONDocument {
  private static let editsName = "&edits"

  /// The record of a head with another edit.
  func adding(_ edit: ListEdit) -> JSONDocument {
    let edits = edits + [edit]
    let text = JSON.array(edits.map { .object($0.json) }).description
    return replacing(Array(Self.editsName.utf8), with: Array(text.utf8)).json ?? self
  }

  /// The edits of a connection, in order.
  var edits: [ListEdit] {
    guard let place = member(Self.editsName, of: JSONDocument.rootIndex),
      case .array(let edits) = json(at: place)
    else { return [] }
    return edits.compactMap { ListEdit($0) }
  }
}

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
