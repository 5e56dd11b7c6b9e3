extension JSONWriter {
  /// Writes a tree, without recursion.
  public mutating func value(_ value: JSON) {
    var open: [Children] = []
    var next: JSON? = value
    while let value = next {
      switch value {
      case .null: null()
      case .bool(let bool): self.bool(bool)
      case .number(let number): self.number(number)
      case .string(let string): self.string(string)
      case .array(let elements):
        beginArray()
        open.append(.elements(elements[...]))
      case .object(let object):
        beginObject()
        open.append(.members(object.members[...]))
      }
      next = nextChild(&open)
    }
  }

  /// The children of an open array or object that are still to be written.
  private enum Children {
    case elements(ArraySlice<JSON>)
    case members(ArraySlice<JSONObject.Member>)
  }

  /// Ends what has no children left and takes the next child, its key written; nil at the end.
  private mutating func nextChild(_ open: inout [Children]) -> JSON? {
    while let children = open.popLast() {
      switch children {
      case .elements(let elements):
        if let element = elements.first {
          open.append(.elements(elements.dropFirst()))
          return element
        }
        endArray()
      case .members(let members):
        if let member = members.first {
          open.append(.members(members.dropFirst()))
          key(member.key)
          return member.value
        }
        endObject()
      }
    }
    return nil
  }
}
