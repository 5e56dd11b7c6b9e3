/// Text of a Swift file under construction. It knows indentation, comments and literals, and
/// nothing of GraphQL.
///
/// Text from a schema that is not a vetted name reaches the output through `comment` and `literal`
/// only: they are the walls that keep a hostile description from becoming code.
struct SourceWriter {
  private(set) var text = ""
  private var indentation = ""
  /// Whether the last line opened braces, after which no line is left free.
  private var isAtStart = false

  private static let step = "  "

  /// Writes one line at the present indentation.
  mutating func line(_ line: String) {
    text += indentation
    text += line
    text += "\n"
    isAtStart = false
  }

  /// Leaves a line free between declarations; does nothing where the braces have just been opened.
  mutating func blank() {
    if !isAtStart { text += "\n" }
  }

  /// Writes lines two spaces deeper.
  mutating func indented(_ body: (inout SourceWriter) -> Void) {
    let outer = indentation
    indentation += Self.step
    body(&self)
    indentation = outer
  }

  /// Writes a head with its body in braces.
  mutating func block(_ head: String, _ body: (inout SourceWriter) -> Void) {
    line(head + " {")
    isAtStart = true
    indented(body)
    line("}")
  }

  /// Writes text of any origin as a documentation comment, a `///` before each of its lines.
  mutating func comment(_ text: String) {
    for content in Neutralized.lines(of: text) {
      line(content.isEmpty ? "///" : "/// " + content)
    }
  }
}
