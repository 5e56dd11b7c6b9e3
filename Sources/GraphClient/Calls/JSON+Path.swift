import GraphJSON
import GraphQLRuntime

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
  /// deeper than parsed text does. Null replaces no object and no list, since it is because of an
  /// error in other fields than those that are there.
  ///
  /// - Returns: false if there was such a null.
  @discardableResult
  mutating func merge(_ other: JSON) -> Bool {
    switch (self, other) {
    case (.array(var elements), .array(let added)) where elements.count == added.count:
      self = .null
      var isMerged = true
      for index in elements.indices where !elements[index].merge(added[index]) { isMerged = false }
      self = .array(elements)
      return isMerged
    case (.object(var members), .object(let added)):
      self = .null
      var isMerged = true
      for member in added {
        if var existing = members[member.key] {
          if !existing.merge(member.value) { isMerged = false }
          members[member.key] = existing
        } else {
          members[member.key] = member.value
        }
      }
      self = .object(members)
      return isMerged
    case (.array, .null), (.object, .null): return false
    default:
      self = other
      return true
    }
  }

  /// Calls `body` with the path of each value that ``merge(_:)`` replaces or adds.
  ///
  /// - Parameter path: that of this value.
  func forEachChange(
    by other: JSON, at path: [GraphQL.ResponsePathElement],
    _ body: ([GraphQL.ResponsePathElement]) -> Void
  ) {
    switch (self, other) {
    case (.array(let elements), .array(let added)) where elements.count == added.count:
      for (index, element) in elements.enumerated() {
        element.forEachChange(by: added[index], at: path + [.index(index)], body)
      }
    case (.object(let members), .object(let added)):
      for member in added {
        let place = path + [.key(member.key)]
        if let existing = members[member.key] {
          existing.forEachChange(by: member.value, at: place, body)
        } else {
          body(place)
        }
      }
    case (.array, .null), (.object, .null): break
    default: body(path)
    }
  }

  var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
