extension Diagnostic: CustomStringConvertible {
  /// The diagnostic in the form that tools and build logs expect:
  ///
  ///     schema.graphql:3:8: error: Unknown type "Prodct".
  ///      3 |   item: Prodct
  ///        |         ^~~~~~
  ///        = Did you mean "Product"?
  ///
  /// The rendering contains no control or directional characters, whatever the message quotes.
  public var description: String {
    var lines = Self.lines(severity.rawValue, message, position, suggestion)
    for note in notes {
      lines += Self.lines(Severity.note.rawValue, note.message, note.position, nil)
    }
    return lines.joined(separator: "\n")
  }

  private static func lines(
    _ label: String, _ message: String, _ position: SourcePosition?, _ suggestion: String?
  ) -> [String] {
    let place = position.map { "\(escaped($0.source)):\($0.line):\($0.column): " } ?? ""
    var lines = ["\(place)\(label): \(escaped(message))"]
    var margin = "  "
    if let position, let excerpt = position.excerpt {
      let number = String(position.line)
      margin = String(repeating: " ", count: number.utf8.count + 2)
      lines.append(" \(number) | \(excerpt.text)")
      let space = String(repeating: " ", count: excerpt.markStart)
      let tail = String(repeating: "~", count: max(0, excerpt.markLength - 1))
      lines.append("\(margin)| \(space)^\(tail)")
    }
    if let suggestion { lines.append("\(margin)= \(escaped(suggestion))") }
    return lines
  }
}

extension Diagnostics: CustomStringConvertible {
  /// The diagnostics, each as its own lines.
  public var description: String {
    elements.map(\.description).joined(separator: "\n")
  }
}
