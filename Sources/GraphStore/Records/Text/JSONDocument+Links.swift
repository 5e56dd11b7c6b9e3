import GraphJSON
import GraphQLRuntime
import GraphStorage

extension GraphQL.EntityKey {
  /// A link to the entity, as records contain it.
  var linkText: [UInt8] {
    var bytes: [UInt8] = []
    GraphQL.StoredLink.append(self, to: &bytes)
    return bytes
  }
}

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

  /// The entities to which a member of the record links, directly or in its list; nil if there is
  /// no such member.
  func links(of name: [UInt8]) -> [GraphQL.EntityKey]? {
    let root = JSONDocument.rootIndex
    guard let value = member(name, of: root) else {
      return nil
    }
    switch kind(at: value) {
    case .object: return GraphQL.StoredLink.key(at: value, in: self).map { [$0] } ?? []
    case .array:
      var links: [GraphQL.EntityKey] = []
      var element = firstChild(of: value)
      while element < end(of: value) {
        if kind(at: element) == .object, let key = GraphQL.StoredLink.key(at: element, in: self) {
          links.append(key)
        }
        element = next(after: element)
      }
      return links
    default: return []
    }
  }

  /// The record with another text in place of values and links that equal the key `old`.
  func renaming(_ old: GraphQL.EntityKey, to new: GraphQL.EntityKey) -> JSONDocument {
    var text = text
    for (old, new) in [(old.key, new.key), (old.description, new.description)] {
      text = text.replacing(JSON.string(old).description, with: JSON.string(new).description)
    }
    return JSONDocument(record: Array(text.utf8)) ?? self
  }
}
