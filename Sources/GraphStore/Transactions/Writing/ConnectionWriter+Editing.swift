import GraphJSON
import GraphQLRuntime
import GraphStorage

// The effect of a mutation on a connection: the stored pages change. The next response with a page replaces it
// as the server has it.
extension ConnectionWriter {
  /// Adds an object to the connection, or removes it. An object that is not stored is not added.
  mutating func apply(_ edit: ListEdit) throws(Graph.StoreError) {
    if edit.place == .removed {
      for segment in head.segments { try remove(edit.key, from: segment) }
      return
    }
    guard try transaction.base(edit.key) != nil,
      let segment = head.segments.first(where: { head.applies(edit, to: $0) })
    else { return }
    try insert(edit, into: segment)
  }

  private func remove(
    _ key: GraphQL.EntityKey, from segment: ConnectionSegment
  ) throws(Graph.StoreError) {
    for pageNumber in segment.pageNumbers {
      guard let page = try page(pageNumber) else { continue }
      var rest = page
      rest.entries.removeAll { $0.key == key }
      if rest.entries.count < page.entries.count { try replace(page, by: rest, at: pageNumber) }
    }
  }

  private func insert(
    _ edit: ListEdit, into segment: ConnectionSegment
  ) throws(Graph.StoreError) {
    var pages: [(number: PageNumber, page: ConnectionPage)] = []
    for pageNumber in segment.pageNumbers {
      guard let page = try page(pageNumber) else { return }
      pages.append((pageNumber, page))
    }
    let order = OrderedField(of: edit, transaction.schema)
    var list = EditedList(pages.flatMap { $0.page.entries.map(\.key) })
    try list.apply(edit) { key throws(Graph.StoreError) in
      try order?.value(of: key) { key throws(Graph.StoreError) in try transaction.base(key) }
    }
    guard let place = list.items.firstIndex(where: { $0.position == nil }) else { return }
    // The object is added to the page with the node before it.
    var offset = 0
    for (number, page) in pages {
      let end = offset + page.entries.count
      if place <= end, !page.entries.isEmpty || number == pages.last?.number {
        var changed = page
        let cursor = page.entries.isEmpty ? nil : page.entries[max(place - offset, 1) - 1].cursor
        changed.entries.insert(
          ConnectionPage.Entry(
            of: edit.key, in: page, cursor: cursor, connection: head.typeName, transaction.schema),
          at: place - offset)
        return try replace(page, by: changed, at: number)
      }
      offset = end
    }
  }

  private func replace(
    _ old: ConnectionPage, by new: ConnectionPage, at pageNumber: PageNumber
  ) throws(Graph.StoreError) {
    // The page is still the one that the server has sent with its last cursor.
    if let end = old.end, !new.ends.contains(end) {
      transaction.put(nil, in: try transaction.entityState(of: key.cursor(end)))
    }
    try put(new, at: pageNumber)
  }
}
