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

extension SourceWriter {
  /// The attribute of a deprecated member.
  mutating func attribute(_ deprecation: String?) {
    guard let deprecation else { return }
    line("@available(*, deprecated, message: \(EscapedText.literal(deprecation)))")
  }

  /// A documentation comment: the description, notes, then a line per parameter.
  mutating func comment(_ documentation: Documentation) {
    if documentation.isEmpty { return }
    var needsGap = false
    if let description = documentation.description {
      comment(description)
      needsGap = true
    }
    if !documentation.notes.isEmpty {
      if needsGap { comment("") }
      comment(documentation.notes.map(Self.sentence).joined(separator: " "))
      needsGap = true
    }
    if !documentation.parameters.isEmpty, needsGap { comment("") }
    for parameter in documentation.parameters {
      var text = "- Parameter " + parameter.name + ":"
      if let description = parameter.description { text += " " + EscapedText.line(description) }
      for note in parameter.notes { text += " " + Self.sentence(note) }
      comment(text)
    }
  }

  private static func sentence(_ note: Documentation.Note) -> String {
    switch note {
    case .defaultValue(let text): "Default: \(EscapedText.code(text))."
    case .deprecated(let reason): "Deprecated: \(EscapedText.line(reason))"
    case .nullOnlyWithError(true, items: false): "Null only with an error."
    case .nullOnlyWithError(false, items: _): "Its items are null only with an error."
    case .nullOnlyWithError(true, items: true): "It and its items are null only with an error."
    }
  }
}

extension ArgumentPlan {
  /// The parameter of a function: `in in_: String? = nil`.
  func parameter(default value: String, prefix: String = "") -> SourceText {
    let label = SwiftKeywords.spelledLabel(label)
    let name = self.label == variable ? label : label + " " + variable
    let type = type.spelled(prefix: prefix)
    return isRequired ? "\(name): \(type)" : "\(name): \(type) = \(value)"
  }
}

/// A piece of one line of Swift, built from literals and names.
///
/// Its interpolation appends bytes. With `String`, which checks each piece's encoding and form, the
/// same lines took a third longer to generate.
struct SourceText: ExpressibleByStringInterpolation {
  fileprivate(set) var bytes: [UInt8]

  var count: Int { bytes.count }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ literal: StaticString) { bytes.append(literal) }

  mutating func append(name: String) { bytes.append(utf8Of: name) }

  /// Exchanges the text with another one, without a copy of either.
  mutating func exchange(_ bytes: inout [UInt8]) { swap(&self.bytes, &bytes) }

  /// An empty text with space for that many bytes.
  init(capacity: Int) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  // Safe: the bytes are a literal of the program.
  init(stringLiteral text: StaticString) {
    bytes = text.withUTF8Buffer { unsafe Array($0) }
  }

  init(stringInterpolation text: StringInterpolation) {
    bytes = text.bytes
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var bytes: [UInt8] = []

    init(literalCapacity: Int, interpolationCount: Int) {
      bytes.reserveCapacity(literalCapacity + 24 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: StaticString) {
      bytes.append(literal)
    }

    mutating func appendInterpolation(_ text: String) { bytes.append(utf8Of: text) }

    mutating func appendInterpolation(_ text: SourceText) {
      bytes.append(contentsOf: text.bytes)
    }
  }
}

// Safe: a literal or a string keeps its bytes valid during the call, which copies them.
extension [UInt8] {
  mutating func append(_ literal: StaticString) {
    literal.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }

  /// Appends text from its storage, without retaining it.
  mutating func append(utf8Of text: String) {
    let isStored: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe append(contentsOf: $0)
    }
    if isStored == nil { append(contentsOf: text.utf8) }
  }
}
