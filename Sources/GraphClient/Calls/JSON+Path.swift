import GraphJSON

extension JSON {
  /// Changes the value at `path`, whose steps are keys and positions.
  ///
  /// - Returns: false if the path does not exist; nothing has changed then.
  @discardableResult
  mutating func update(
    at path: ArraySlice<JSON>, _ change: (inout JSON) -> Bool
  ) -> Bool {
    // Parsed text is not deeper, so a longer path cannot exist; this also limits the recursion.
    guard path.count <= JSONDocument.defaultMaximumDepth else { return false }
    guard let step = path.first else { return change(&self) }
    switch (self, step) {
    case (.object(var members), .string(let key)):
      guard var child = members[key] else { return false }
      // A value with a single owner is changed without being copied.
      self = .null
      members[key] = .null
      defer {
        members[key] = child
        self = .object(members)
      }
      return child.update(at: path.dropFirst(), change)
    case (.array(var elements), .number(let number)):
      guard let index = number.int64.flatMap(Int.init(exactly:)), elements.indices.contains(index)
      else { return false }
      self = .null
      defer { self = .array(elements) }
      return elements[index].update(at: path.dropFirst(), change)
    default: return false
    }
  }

  /// Adds the members of `other`, and merges them into existing ones, also in lists. It goes no
  /// deeper than parsed text does.
  mutating func merge(_ other: JSON) {
    if case .array(var elements) = self, case .array(let added) = other,
      elements.count == added.count
    {
      self = .null
      for index in elements.indices { elements[index].merge(added[index]) }
      self = .array(elements)
      return
    }
    guard case .object(var members) = self, case .object(let added) = other else {
      self = other
      return
    }
    self = .null
    for member in added {
      if var existing = members[member.key] {
        existing.merge(member.value)
        members[member.key] = existing
      } else {
        members[member.key] = member.value
      }
    }
    self = .object(members)
  }

  var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
