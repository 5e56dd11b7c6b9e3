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
        open.append(Children(elements: elements, members: nil))
      case .object(let object):
        beginObject()
        open.append(Children(elements: [], members: object.members))
      }
      next = nextChild(&open)
    }
  }

  /// The children of an open array or object and the number of written ones.
  private struct Children {
    let elements: [JSON]
    /// Nil for an array.
    let members: [JSON.Object.Member]?
    var written = 0
  }

  /// Closes containers without remaining children and returns the next child, after writing its
  /// key; nil at the end.
  private mutating func nextChild(_ open: inout [Children]) -> JSON? {
    while let last = open.indices.last {
      let index = open[last].written
      open[last].written += 1
      if let members = open[last].members {
        if index < members.count {
          key(members[index].key)
          return members[index].value
        }
        endObject()
      } else {
        if index < open[last].elements.count { return open[last].elements[index] }
        endArray()
      }
      open.removeLast()
    }
    return nil
  }
}

extension JSONWriter {
  /// Writes the shortest text that is parsed as `value`. Infinities and NaN have no JSON form: they
  /// throw and write nothing.
  public mutating func double(_ value: Double) throws(JSONError) {
    guard let number = JSON.Number(value) else {
      throw JSONError(
        code: .nonFiniteNumber, offset: 0, position: .start,
        message: "\(value) has no JSON form")
    }
    self.number(number)
  }

  /// Writes `value` with its text unchanged.
  public mutating func number(_ value: JSON.Number) { raw(value.text) }
}
