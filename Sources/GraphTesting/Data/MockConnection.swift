import GraphJSON
import GraphQLExecution
import GraphQLSchema

/// A page of a connection: a range of an underlying list that is the same for every page.
struct MockConnection: Sendable {
  /// The type of the elements.
  let nodeType: TypeReference
  /// The source of the elements' values.
  let list: MockList
  let page: Range<Int>

  /// Takes a page from a list according to the arguments `first`, `after`, `last` and `before`.
  /// Without any of them, the page is the whole list.
  init(
    _ list: MockList, of nodeType: TypeReference, _ arguments: JSON.Object
  ) throws(ExecutionError) {
    self.list = list
    self.nodeType = nodeType
    var start = 0
    var end = list.count
    if let after = try Self.position(arguments["after"], "after") { start = min(after + 1, end) }
    if let before = try Self.position(arguments["before"], "before") {
      end = max(start, min(before, end))
    }
    if let first = try Self.length(arguments["first"], "first") {
      end = min(end, start + min(first, end - start))
    }
    if let last = try Self.length(arguments["last"], "last") {
      start = max(start, end - min(last, end - start))
    }
    page = start..<end
  }

  /// The page with one element, for its edge.
  init(_ connection: MockConnection, at position: Int) {
    list = connection.list
    nodeType = connection.nodeType
    page = position..<position + 1
  }

  var hasNextPage: Bool { page.upperBound < list.count }
  var hasPreviousPage: Bool { page.lowerBound > 0 }

  static func cursor(_ position: Int) -> String { "cursor-\(position)" }

  private static func position(_ value: JSON?, _ name: String) throws(ExecutionError) -> Int? {
    guard case .string(let text)? = value else { return nil }
    guard text.hasPrefix("cursor-"), let position = Int(text.dropFirst(7)), position >= 0,
      position < Int(Int32.max)
    else { throw ExecutionError("The argument \"\(name)\" is not a cursor of this connection.") }
    return position
  }

  private static func length(_ value: JSON?, _ name: String) throws(ExecutionError) -> Int? {
    guard case .number(let number)? = value, let length = number.int64 else { return nil }
    if length < 0 { throw ExecutionError("The argument \"\(name)\" is negative.") }
    return Int(length)
  }
}

/// The elements of a list, before they become objects.
struct MockList: Sendable {
  enum Source: Sendable {
    /// Generated, each from its index and a key of the list.
    case generated(key: UInt64, label: String)
    /// From a fixture or resolver.
    case given([JSON])
  }

  let source: Source
  let count: Int
  var isReversed = false

  /// The index in the source of the element at a position.
  func index(_ position: Int) -> Int { isReversed ? count - 1 - position : position }
}

/// The fields that make an object type a connection: `pageInfo`, and the elements as `nodes` or as
/// `node` of `edges`.
struct ConnectionShape: Sendable {
  let nodeType: TypeReference

  init?(_ type: ObjectType, _ schema: ServiceSchema) {
    guard type.fields.contains(name: "pageInfo") else { return nil }
    if let nodes = type.fields["nodes"]?.type.itemType {
      nodeType = nodes
    } else if let edge = type.fields["edges"]?.type.itemType,
      case .object(let edgeType)? = schema.namedType(of: edge),
      let node = edgeType.fields["node"]
    {
      nodeType = node.type
    } else {
      return nil
    }
  }
}
