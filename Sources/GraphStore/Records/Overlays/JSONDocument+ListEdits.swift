import GraphJSON
import GraphQLRuntime
import GraphStorage

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
