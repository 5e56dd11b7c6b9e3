/// A position in a response (section 7.1.6): response names and list indices from the root.
public struct ResponsePath: Sendable, Hashable {
  /// One step of a path.
  public enum Element: Sendable, Hashable {
    /// A response name: a field's alias or else its name.
    case name(String)
    /// A position in a list, from 0 on.
    case index(Int)
  }

  /// The steps from the root; empty for the root itself.
  public var elements: [Element]

  /// A path of those steps.
  public init(_ elements: [Element] = []) { self.elements = elements }
}

extension ResponsePath: CustomStringConvertible {
  /// The text form of the path: `products.nodes[0].title`.
  public var description: String {
    var text = ""
    for element in elements {
      switch element {
      case .name(let name): text += text.isEmpty ? name : "." + name
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }

  /// Reads the form that ``description`` writes; nil if the text is not a path.
  public init?(_ text: String) {
    self.init()
    for (position, part) in text.split(separator: ".", omittingEmptySubsequences: false)
      .enumerated()
    {
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      if pieces[0].isEmpty, position > 0 || !text.isEmpty { return nil }
      if pieces[0].contains("]") { return nil }
      if !pieces[0].isEmpty { elements.append(.name(String(pieces[0]))) }
      for piece in pieces.dropFirst() {
        guard piece.last == "]", let index = Int(piece.dropLast()), index >= 0 else { return nil }
        elements.append(.index(index))
      }
    }
  }
}

extension ResponsePath: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// A literal that is not a path is a programming error.
  public init(stringLiteral text: String) {
    guard let path = ResponsePath(text) else { preconditionFailure("not a response path: \(text)") }
    self = path
  }
}
