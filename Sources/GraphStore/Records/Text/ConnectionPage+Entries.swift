import GraphJSON
import GraphQLRuntime
import GraphStorage

extension ConnectionPage.Entry {
  /// The object to which the entry leads.
  var key: GraphQL.EntityKey? {
    if let node { return Self.link(in: node, at: nil) }
    return edge.flatMap { Self.link(in: $0, at: "node") }
  }

  private static func link(
    in text: ArraySlice<UInt8>, at member: String?
  ) -> GraphQL.EntityKey? {
    guard let json = JSONDocument(record: Array(text)) else { return nil }
    let root = JSONDocument.rootIndex
    guard let member else { return GraphQL.StoredLink.key(at: root, in: json) }
    guard let place = json.member(member, of: root), json.kind(at: place) == .object else {
      return nil
    }
    return GraphQL.StoredLink.key(at: place, in: json)
  }

  /// An entry that the server has not sent.
  ///
  /// - Parameters:
  ///   - page: determines whether the entry has an edge, a node, or both.
  ///   - cursor: that of a neighbour, since an edge usually needs one.
  ///   - connection: the name of the connection's type.
  init(
    of key: GraphQL.EntityKey, in page: ConnectionPage, cursor: ExactKey?, connection: String,
    _ schema: GraphQL.SchemaTable
  ) {
    let link = key.linkText
    if page.hasNodes { node = link[...] }
    self.cursor = cursor
    guard page.hasEdges else { return }
    var edge = ObjectBuilder()
    if let name = schema.objectTypeName(ofField: "\(connection).edges") {
      edge.append(name: "__typename", value: Array(JSON.string(name).description.utf8))
    }
    edge.append(name: "cursor", value: Array(JSON.string(cursor?.text ?? "").description.utf8))
    edge.append(name: "node", value: link)
    self.edge = edge.finish()[...]
  }
}

extension ConnectionHead {
  /// Whether an edit of the connection concerns a segment: the start of the list is in the first one, and its
  /// end in the one that reaches it, or else in the first one.
  func applies(_ edit: ListEdit, to segment: ConnectionSegment) -> Bool {
    func reachesEnd(_ segment: ConnectionSegment) -> Bool {
      segment.isLast || segment.hasNext == false
    }
    switch edit.place {
    case .removed: return true
    case .start, .ordered: return segment == main
    case .end: return (segments.last(where: reachesEnd) ?? main) == segment
    }
  }
}
