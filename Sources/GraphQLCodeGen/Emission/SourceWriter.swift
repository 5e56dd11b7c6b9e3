/// Text of a Swift file under construction. It handles indentation, comments and literals,
/// independently of GraphQL.
///
/// Schema text that is not a checked name reaches the output only through `comment` and `literal`,
/// which keep a hostile description from becoming code.
struct SourceWriter {
  /// The written text, as UTF-8.
  private(set) var bytes: [UInt8] = []
  private var indentation = 0
  /// Whether the last line opened braces, after which no blank line follows.
  private var isAtStart = false

  /// Indentation is always a multiple of it.
  private static let step = 2
  private static let width = 100
  /// Most files fit into it: a buffer that doubles as it grows touches every page twice.
  private static let capacity = 1 << 18

  init() {
    bytes.reserveCapacity(Self.capacity)
  }

  /// The written text, as UTF-8. The writer starts again with an empty text: in the same memory if
  /// a copy of the text takes much less, otherwise in new memory.
  // Safe: the array keeps its bytes valid during the call, which copies them.
  mutating func finish() -> [UInt8] {
    if bytes.count < Self.capacity / 4 {
      let text = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
      bytes.removeAll(keepingCapacity: true)
      return text
    }
    let text = bytes
    self = SourceWriter()
    return text
  }

  /// Writes one constant line at the current indentation.
  mutating func line(_ line: StaticString) {
    indent()
    bytes.append(line)
    end()
  }

  /// Writes one line that consists of checked names and punctuation.
  mutating func line(names: String) {
    indent()
    bytes.append(utf8Of: names)
    end()
  }

  /// Writes one line at the current indentation.
  @_disfavoredOverload
  mutating func line(_ line: SourceText) {
    indent()
    bytes.append(contentsOf: line.bytes)
    end()
  }

  /// Writes one line at the current indentation, part by part, without memory of its own.
  mutating func line(_ write: (inout SourceText) -> Void) {
    indent()
    var text = SourceText(capacity: 0)
    text.exchange(&bytes)
    write(&text)
    text.exchange(&bytes)
    end()
  }

  /// Writes a blank line between declarations; does nothing if braces have just been opened.
  mutating func blank() {
    if !isAtStart { bytes.append(UInt8(ascii: "\n")) }
  }

  /// Writes lines with two more spaces of indentation.
  mutating func indented(_ body: (inout SourceWriter) -> Void) {
    let outer = indentation
    indentation += Self.step
    body(&self)
    indentation = outer
  }

  /// Writes a head with its body in braces.
  mutating func block(_ head: SourceText, _ body: (inout SourceWriter) -> Void) {
    indent()
    bytes.append(contentsOf: head.bytes)
    braces(body)
  }

  /// Writes a function: its parameters on one line, or on a line each if that one gets too long.
  ///
  /// - Parameter result: The text between the parameters and the body: ` -> Image`.
  mutating func function(
    _ head: SourceText, _ parameters: [SourceText], result: SourceText = "",
    _ body: (inout SourceWriter) -> Void
  ) {
    let separators = 2 * max(parameters.count - 1, 0)
    let width = parameters.reduce(indentation + head.count + separators + result.count + 4) {
      $0 + $1.count
    }
    let isOneLine = width <= Self.width || parameters.isEmpty
    indent()
    bytes.append(contentsOf: head.bytes)
    bytes.append(UInt8(ascii: "("))
    for (index, parameter) in parameters.enumerated() {
      if !isOneLine {
        end()
        indent(Self.step)
      } else if index > 0 {
        bytes.append(UInt8(ascii: " "))
      }
      bytes.append(contentsOf: parameter.bytes)
      if index < parameters.count - 1 { bytes.append(UInt8(ascii: ",")) }
    }
    if !isOneLine {
      end()
      indent()
    }
    bytes.append(UInt8(ascii: ")"))
    bytes.append(contentsOf: result.bytes)
    braces(body)
  }

  /// Writes untrusted text as a documentation comment, a `///` before each of its lines.
  // Safe: each line is copied during the call in which it is valid.
  mutating func comment(_ text: String) {
    unsafe EscapedText.forEachLine(of: text) { content in
      indent()
      bytes.append(content.isEmpty ? "///" : "/// ")
      unsafe bytes.append(contentsOf: content)
      end()
    }
  }

  /// Ends a head with its body in braces.
  private mutating func braces(_ body: (inout SourceWriter) -> Void) {
    bytes.append(" {\n")
    isAtStart = true
    indented(body)
    line("}")
  }

  private mutating func indent(_ more: Int = 0) {
    var rest = indentation + more
    while rest >= 4 {
      bytes.append("    ")
      rest -= 4
    }
    if rest >= 2 { bytes.append("  ") }
  }

  private mutating func end() {
    bytes.append(UInt8(ascii: "\n"))
    isAtStart = false
  }
}
