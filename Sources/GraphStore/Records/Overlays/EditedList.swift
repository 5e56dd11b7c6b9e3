import GraphQLRuntime

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
