import GraphJSON

extension GraphQL {
  /// An entry of `errors` (specification: 7.1.2 Errors), or the same for an operation that was not
  /// sent. It is for developers, not for display.
  public struct ResponseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A position in the document's text.
    public struct Location: Hashable, Sendable {
      /// From 1.
      public let line: Int
      /// From 1.
      public let column: Int
    }

    /// A description of the error for developers.
    public let message: String
    /// Positions in the document.
    public let locations: [Location]
    /// The field in `data` to which the error belongs.
    public let path: [ResponsePathElement]
    /// Additional information from the server, such as a code.
    public let extensions: JSON?

    /// An error of a field, or of an operation if the path is empty.
    public init(
      message: String, locations: [Location] = [], path: [ResponsePathElement] = [],
      extensions: JSON? = nil
    ) {
      self.message = message
      self.locations = locations
      self.path = path
      self.extensions = extensions
    }

    /// `extensions.code`, by which servers distinguish errors; nil if it is not a string.
    public var code: String? {
      if case .string(let code)? = extensions?["code"] { code } else { nil }
    }

    public var description: String {
      path.isEmpty ? message : "\(path.text): \(message)"
    }
  }
}

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
