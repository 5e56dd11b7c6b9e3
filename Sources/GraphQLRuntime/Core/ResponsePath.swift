import GraphJSON

extension GraphQL {
  /// A step of a response path (specification: 7.1.2 Errors, `path`).
  public enum ResponsePathElement: Hashable, Sendable, CustomStringConvertible {
    /// A response name: the field's alias, or its name.
    case key(String)
    /// A position in a list, from 0.
    case index(Int)

    public var description: String {
      switch self {
      case .key(let key): key
      case .index(let index): "\(index)"
      }
    }
  }
}

extension [GraphQL.ResponsePathElement] {
  /// `products.nodes[0].title`.
  var text: String {
    reduce(into: "") { text, element in
      switch element {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .index(let index): text += "[\(index)]"
      }
    }
  }
}

extension JSONDocument {
  /// The element at a position in the array at `array`.
  func element(_ position: Int, of array: Int) -> Int {
    var element = firstChild(of: array)
    for _ in 0..<position { element = next(after: element) }
    return element
  }

  /// The path from the value at `root` to the one at `target`, found by searching; for messages.
  func path(to target: Int, from root: Int) -> [GraphQL.ResponsePathElement] {
    var path: [GraphQL.ResponsePathElement] = []
    var container = root
    while container < target {
      let isObject = kind(at: container) == .object
      guard isObject || kind(at: container) == .array else { break }
      var position = firstChild(of: container)
      var ordinal = 0
      let end = end(of: container)
      while position < end {
        let value = isObject ? next(after: position) : position
        if target < next(after: value) {
          path.append(isObject ? .key(string(at: position)) : .index(ordinal))
          container = value
          break
        }
        position = next(after: value)
        ordinal += 1
      }
      if position >= end { break }
    }
    return path
  }
}
