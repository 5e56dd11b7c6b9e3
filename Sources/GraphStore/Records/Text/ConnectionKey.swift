import GraphJSON
import GraphQLRuntime
import GraphStorage

/// The keys of one connection's rows.
///
/// Their type is the field's coordinate (`Query.products`), which is not a GraphQL name: they are
/// not entities of their own and have the policy of the field's owner.
struct ConnectionKey {
  /// The row that the owner's record links to.
  let head: GraphQL.EntityKey

  init(head: GraphQL.EntityKey) { self.head = head }

  /// - Parameter field: a connection of the entity `owner`.
  init(owner: GraphQL.EntityKey, field: GraphQL.StorageField) {
    self.init(
      owner: owner, fieldName: field.name,
      storageKey: String(decoding: field.storageKey, as: UTF8.self))
  }

  init(owner: GraphQL.EntityKey, fieldName: String, storageKey: String) {
    let arguments = storageKey.dropFirst(fieldName.count)
    // With its length, the owner's key cannot be confused with a key and arguments.
    head = GraphQL.EntityKey(
      typeName: "\(owner.typeName).\(fieldName)",
      key: "\(owner.key.utf8.count):\(owner.key)\(arguments)")
  }

  /// - Parameter pageRow: the row of a page, see ``page(_:)``.
  init(pageRow: GraphQL.EntityKey) {
    let end = pageRow.key.utf8.lastIndex(of: UInt8(ascii: "#")) ?? pageRow.key.endIndex
    head = GraphQL.EntityKey(typeName: pageRow.typeName, key: String(pageRow.key[..<end]))
  }

  /// The entity whose field the connection is; nil if the key does not have the expected form.
  var owner: GraphQL.EntityKey? {
    let key = head.key.utf8
    guard let colon = key.firstIndex(of: UInt8(ascii: ":")), let count = Int(head.key[..<colon]),
      count >= 0,
      let end = key.index(key.index(after: colon), offsetBy: count, limitedBy: key.endIndex)
    else { return nil }
    return GraphQL.EntityKey(
      typeName: GraphQL.EntityKey.policyTypeName(head.typeName),
      key: String(decoding: key[key.index(after: colon)..<end], as: UTF8.self))
  }

  /// The key at which the expected edits of an object's connections of one field are kept. It has no row.
  static func edits(of list: Graph.StoredList) -> GraphQL.EntityKey {
    let owner = list.owner
    return GraphQL.EntityKey(
      typeName: "\(owner.typeName).\(list.field)", key: "\(owner.key.utf8.count):\(owner.key)*")
  }

  /// The storage key of the connection's field; nil if this is not the key of a head.
  var storageKey: String? {
    guard let owner, let dot = head.typeName.utf8.firstIndex(of: UInt8(ascii: ".")) else {
      return nil
    }
    let field = head.typeName[head.typeName.utf8.index(after: dot)...]
    let prefix = "\(owner.key.utf8.count):\(owner.key)"
    let arguments = head.key.utf8.dropFirst(prefix.utf8.count)
    guard
      arguments.isEmpty || arguments.first == UInt8(ascii: "(")
        || arguments.first == UInt8(ascii: "@")
    else { return nil }
    return field + String(decoding: arguments, as: UTF8.self)
  }

  /// The row of one page.
  func page(_ pageNumber: PageNumber) -> GraphQL.EntityKey {
    GraphQL.EntityKey(
      typeName: head.typeName, key: "\(head.key)#\(pageNumber.run).\(pageNumber.number)")
  }

  /// The row with the page that ends with a cursor.
  func cursor(_ cursor: ExactKey) -> GraphQL.EntityKey {
    GraphQL.EntityKey(typeName: head.typeName, key: "\(head.key)@\(cursor.text)")
  }
}

extension GraphQL.EntityKey {
  /// Whether this is a row of a connection; see ``ConnectionKey``.
  var isOfConnection: Bool { typeName.utf8.contains(UInt8(ascii: ".")) }

  /// The name of the type whose policy applies.
  static func policyTypeName(_ name: String) -> String {
    name.utf8.firstIndex(of: UInt8(ascii: ".")).map { String(name[..<$0]) } ?? name
  }
}

/// The run that a page belongs to, and its number in it. Consecutive pages of a run have consecutive
/// numbers; prepended pages have negative ones.
struct PageNumber: Hashable {
  let run: Int
  let number: Int
}

extension PageNumber {
  init?(_ record: JSONDocument) {
    let json = record.json(at: JSONDocument.rootIndex)
    guard case .array(let numbers)? = json["&page"], numbers.count == 2,
      let run = numbers[0].integer, let number = numbers[1].integer
    else { return nil }
    self.init(run: run, number: number)
  }

  func record(typeName: String) -> [UInt8] {
    Array("{\"__typename\":\"\(typeName)\",\"&page\":[\(run),\(number)]}".utf8)
  }
}
