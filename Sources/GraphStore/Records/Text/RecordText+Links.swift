import GraphJSON
import GraphQLRuntime
import GraphStorage

extension JSONDocument {
  /// The keys of all links in a value of a record.
  func links(in value: Int) -> [GraphQL.EntityKey] {
    var links: [GraphQL.EntityKey] = []
    var index = value
    let end = next(after: value)
    while index < end {
      switch kind(at: index) {
      case .object:
        if let key = GraphQL.StoredLink.key(at: index, in: self) { links.append(key) }
        index = firstChild(of: index)
      case .array: index = firstChild(of: index)
      default: index = next(after: index)
      }
    }
    return links
  }
}
