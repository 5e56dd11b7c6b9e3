import GraphJSON
import GraphQLRuntime
import GraphStorage

extension JSONDocument {
  /// The record with another value for one member, which is added if it is missing; without the
  /// member for nil.
  func replacing(_ name: [UInt8], with value: [UInt8]?) -> RecordText {
    let root = JSONDocument.rootIndex
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    bytes.reserveCapacity(byteCount + 64)
    func append(_ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes += key
      bytes.append(UInt8(ascii: ":"))
      bytes += value
    }
    var isFound = false
    var key = firstChild(of: root)
    while key < end(of: root) {
      let place = next(after: key)
      if stringEquals(key, name) {
        isFound = true
        if let value { append(source(at: key), value[...]) }
      } else {
        append(source(at: key), source(at: place))
      }
      key = next(after: place)
    }
    if !isFound, let value {
      var quoted: [UInt8] = []
      JSONWriter.appendString(String(decoding: name, as: UTF8.self), to: &quoted)
      append(quoted[...], value[...])
    }
    bytes.append(UInt8(ascii: "}"))
    return RecordText(bytes)
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
}
