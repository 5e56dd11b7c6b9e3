extension JSON {
  /// Parses the UTF-8 text `bytes` into a tree.
  public init(
    parsing bytes: consuming [UInt8], maximumDepth: Int = JSONDocument.defaultMaximumDepth
  ) throws(JSONError) {
    let document = try JSONDocument(parsing: bytes, maximumDepth: maximumDepth)
    self = document.json(at: JSONDocument.rootIndex)
  }
}

extension JSONDocument {
  /// The value at `index` as a tree, built without recursion. If several members have the same key,
  /// the last one wins.
  public func json(at index: Int) -> JSON {
    var levels: [Level] = []
    var index = index
    while true {
      let value: JSON
      if let level = levels.last, index == level.end {
        value = level.value
        levels.removeLast()
      } else {
        if let level = levels.last, level.isObject {
          levels[levels.count - 1].key = string(at: index)
          index = next(after: index)
        }
        guard let scalar = scalar(at: index) else {
          levels.append(Level(isObject: kind(at: index) == .object, end: end(of: index)))
          index = firstChild(of: index)
          continue
        }
        value = scalar
        index = next(after: index)
      }
      if levels.isEmpty { return value }
      levels[levels.count - 1].append(value)
    }
  }

  /// An array or object while its children are collected.
  private struct Level {
    let isObject: Bool
    let end: Int
    var key = ""
    var elements: [JSON] = []
    var members = JSON.Object()

    init(isObject: Bool, end: Int) {
      self.isObject = isObject
      self.end = end
    }

    var value: JSON { isObject ? .object(members) : .array(elements) }

    mutating func append(_ value: JSON) {
      if isObject { members[key] = value } else { elements.append(value) }
    }
  }

  /// The value at `index`, nil for an array or object.
  private func scalar(at index: Int) -> JSON? {
    switch kind(at: index) {
    case .null: .null
    case .bool: .bool(bool(at: index))
    case .number: .number(JSON.Number(checkedText: numberText(at: index)))
    case .string: .string(string(at: index))
    case .array, .object: nil
    }
  }
}
