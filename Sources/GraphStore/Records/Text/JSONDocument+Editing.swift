import GraphJSON

extension JSONDocument {
  /// The record with `value` for one member, which is added if it is missing. nil removes the
  /// member.
  func replacing(_ name: [UInt8], with value: [UInt8]?) -> RecordText {
    let root = JSONDocument.rootIndex
    var members = ObjectBuilder(capacity: byteCount + 64)
    var isFound = false
    var key = firstChild(of: root)
    while key < end(of: root) {
      let present = next(after: key)
      if stringEquals(key, name) {
        isFound = true
        if let value { members.append(key: source(at: key), value: value) }
      } else {
        members.append(key: source(at: key), value: source(at: present))
      }
      key = next(after: present)
    }
    if !isFound, let value {
      members.append(name: String(decoding: name, as: UTF8.self), value: value)
    }
    return RecordText(members.finish())
  }
}
