/// Text of a Swift file under construction. It knows indentation, comments and literals, and
/// nothing of GraphQL.
///
/// Text from a schema that is not a vetted name reaches the output through `comment` and `literal`
/// only: they are the walls that keep a hostile description from becoming code.
struct SourceWriter {
  /// UTF-8. Bytes are put together twice as fast as a `String`, which is made once, at the end.
  private var bytes: [UInt8] = []
  private var indentation = 0
  /// Whether the last line opened braces, after which no line is left free.
  private var isAtStart = false

  private static let step = 2
  private static let width = 100
  /// Most files fit in it: a buffer that doubles as it grows touches every page twice.
  private static let capacity = 1 << 18

  init() {
    bytes.reserveCapacity(Self.capacity)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Writes one line at the present indentation.
  mutating func line(_ line: String) { self.line(line, "") }

  /// Writes a line of two parts, which need not be joined first.
  private mutating func line(_ start: String, _ end: String) {
    for _ in 0..<indentation { bytes.append(UInt8(ascii: " ")) }
    bytes.append(contentsOf: start.utf8)
    bytes.append(contentsOf: end.utf8)
    bytes.append(UInt8(ascii: "\n"))
    isAtStart = false
  }

  /// Leaves a line free between declarations; does nothing where the braces have just been opened.
  mutating func blank() {
    if !isAtStart { bytes.append(UInt8(ascii: "\n")) }
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
    line(head, " {")
    isAtStart = true
    indented(body)
    line("}")
  }

  /// Writes a function: its parameters on one line, or on a line each where that one gets too long.
  ///
  /// - Parameter result: What stands between the parameters and the body: ` -> Image`.
  mutating func function(
    _ head: String, _ parameters: [String], result: String = "",
    _ body: (inout SourceWriter) -> Void
  ) {
    let line = head + "(" + parameters.joined(separator: ", ") + ")" + result
    if indentation + line.utf8.count + 2 <= Self.width || parameters.isEmpty {
      return block(line, body)
    }
    self.line(head + "(")
    indented { writer in
      for parameter in parameters.dropLast() { writer.line(parameter, ",") }
      writer.line(parameters[parameters.count - 1])
    }
    block(")" + result, body)
  }

  /// Writes text of any origin as a documentation comment, a `///` before each of its lines.
  mutating func comment(_ text: String) {
    for content in Neutralized.lines(of: text) {
      line(content.isEmpty ? "///" : "/// ", content)
    }
  }
}
