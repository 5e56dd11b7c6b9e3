#if !ONE_MODULE
  import GraphJSON
#endif

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

/// Untrusted text, escaped for a comment or a string literal.
///
/// Characters that end a line, that are invisible or that change the reading direction are written
/// as `\u{…}`, so a reviewer sees the same text as the compiler.
package enum EscapedText {
  /// The lines of a text, for comments. Line feeds separate them, and so do carriage returns.
  // Safe: each line is copied during the call in which it is valid.
  static func lines(of text: String) -> [String] {
    var lines: [String] = []
    unsafe forEachLine(of: text) { unsafe lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  /// Visits the UTF-8 of the lines of a text; see `lines(of:)`.
  // Safe: the string keeps its bytes valid during the call; lines are ranges below their count.
  static func forEachLine(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    var text = text
    if !isPrintable(&text) {
      for line in escapedLines(of: text) { unsafe line.withUnsafeBufferPointer(body) }
      return
    }
    // Nothing has to be escaped, so the bytes are the lines unchanged.
    text.withUTF8 { bytes in
      var start = 0
      while true {
        let next = unsafe TextScan.endOfLine(in: bytes, from: start)
        var end = next
        while end > start, unsafe bytes[end - 1] == 0x20 { end -= 1 }
        unsafe body(UnsafeBufferPointer(rebasing: bytes[start..<end]))
        if next == bytes.count { return }
        start = next + 1
      }
    }
  }

  private static func escapedLines(of text: String) -> [[UInt8]] {
    var lines: [[UInt8]] = [[]]
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r": lines.append([])
      case "\t": lines[lines.count - 1].append(UInt8(ascii: " "))
      default: append(scalar, to: &lines[lines.count - 1])
      }
      previous = scalar
    }
    return lines.map(trimmingTrailingSpaces)
  }

  /// The text on one line, for comments.
  static func line(_ text: String) -> String {
    var text = text
    return needsNoEscaping(&text)
      ? text : lines(of: text).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The text as a Swift string literal with its quotation marks.
  package static func literal(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 <= 0x7E && $0 != 0x22 && $0 != 0x5C }) {
      return "\"\(text)\""
    }
    var result = [UInt8(ascii: "\"")]
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result.append("\\\"")
      case "\\": result.append("\\\\")
      case "\n": result.append("\\n")
      case "\r": result.append("\\r")
      case "\t": result.append("\\t")
      default: append(scalar, to: &result)
      }
    }
    result.append("\"")
    return String(decoding: result, as: UTF8.self)
  }

  /// The text in backticks, for comments; in more of them if it contains backticks.
  static func code(_ text: String) -> String {
    let text = line(text)
    var longest = 0
    var run = 0
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    guard longest > 0 else { return "`\(text)`" }
    let fence = String(repeating: "`", count: longest + 1)
    return "\(fence) \(text) \(fence)"
  }

  /// Whether a text has no control characters except line feeds and no deceptive characters, as
  /// nearly all descriptions: then its bytes are used unchanged.
  // Safe: the string keeps its bytes valid during the call.
  private static func isPrintable(_ text: inout String) -> Bool {
    unsafe text.withUTF8(TextScan.isPrintable)
      || text.unicodeScalars.allSatisfy { $0 == "\n" || !isHidden($0) }
  }

  /// Whether a text is one safe line without spaces at its end, which is used unchanged.
  // Safe: the string keeps its bytes valid during the call.
  private static func needsNoEscaping(_ text: inout String) -> Bool {
    isPrintable(&text)
      && text.withUTF8 { bytes in
        unsafe bytes.last != 0x20 && TextScan.endOfLine(in: bytes, from: 0) == bytes.count
      }
  }

  private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    if isHidden(scalar) {
      bytes.append(utf8Of: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}")
    } else {
      bytes.append(contentsOf: scalar.utf8)
    }
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: false
    case 0...0x9F: true  // Controls of ASCII and Latin-1, NEL among them.
    case 0x00AD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F: true  // Invisible, or marks of direction.
    case 0x2028...0x202E: true  // Line and paragraph separators, embeddings and overrides.
    case 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true  // Isolates and other format controls.
    case 0xE0000...0xE0FFF: true  // Tags and variation selectors.
    default: false
    }
  }

  private static func trimmingTrailingSpaces(_ line: [UInt8]) -> [UInt8] {
    var line = line
    while line.last == 0x20 { line.removeLast() }
    return line
  }
}

/// Scans text eight bytes at a time: descriptions are half of the generated text, and scanning
/// their bytes one by one took a quarter of the time of emitting.
// Safe: a word is loaded only if eight bytes are left, a byte only below the count.
enum TextScan {
  /// Whether all bytes are printable ASCII or line feeds.
  static func isPrintable(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index &+ 8 <= bytes.count {
      let isPlain = unsafe WordScan.isPrintable(WordScan.load(bytes.baseAddress! + index))
      guard isPlain || (index..<index &+ 8).allSatisfy({ unsafe isPrintable(bytes[$0]) }) else {
        return false
      }
      index &+= 8
    }
    return unsafe bytes[index...].allSatisfy(isPrintable)
  }

  /// The first line feed at or after an index, or the end.
  static func endOfLine(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index &+ 8 <= bytes.count {
      let hits = unsafe WordScan.hits(WordScan.load(bytes.baseAddress! + index), of: 0x0A)
      if hits != 0 { return index &+ WordScan.firstByte(hits) }
      index &+= 8
    }
    while index < bytes.count, unsafe bytes[index] != 0x0A { index &+= 1 }
    return index
  }

  private static func isPrintable(_ byte: UInt8) -> Bool {
    byte == 0x0A || (byte >= 0x20 && byte <= 0x7E)
  }
}

/// Every symbol of GraphQLRuntime that emitted code uses.
///
/// Generator and runtime never import each other: this enum is their only connection. A symbol that
/// is renamed in the runtime is renamed here, and nowhere else in the generator.
package enum RuntimeSymbols {
  static let module = "GraphQLRuntime"
  /// The runtime's own namespace, which contains all the types below.
  static let namespace = "GraphQL"

  // Types of the module's skeleton.
  static let schemaNamespace = "GraphQL.Namespace"
  static let schemaTable = "GraphQL.SchemaTable"
  static let abstractQuery = "GraphQL.AbstractQuery"
  static let abstractResponse = "GraphQL.AbstractResponse"
  static let queryBuilder = "GraphQL.QueryBuilder"
  static let mutationBuilder = "GraphQL.MutationBuilder"
  static let subscriptionBuilder = "GraphQL.SubscriptionBuilder"
  static let directive = "GraphQL.Directive"

  // Their parameters and members.
  static let tableName = "name"
  static let tableText = "table"
  static let tableQueries = "queries"
  static let tableResponses = "responses"
  static let tableScalars = "scalars"
  static let schema = "schema"
  static let response = "Response"
  static let directiveSchema = "Schema"

  // Types of values.
  static let enumeration = "GraphQL.Enum"
  static let inputObject = "GraphQL.InputObject"
  static let oneOfInputObject = "GraphQL.OneOfInput"
  static let inputFieldStorage = "GraphQL.InputFields"
  static let inputValue = "GraphQL.InputValue"
  package static let id = "GraphQL.ID"
  static let dateTime = "GraphQL.DateTime"
  static let localDate = "GraphQL.LocalDate"
  static let url = "GraphQL.URL"
  static let decimal = "GraphQL.Decimal"
  package static let json = "GraphQL.JSON"
  static let bigInt = "GraphQL.BigInt"
  static let upload = "GraphQL.Upload"

  // Requirements that generated types satisfy.
  static let unknownValue = "unknownValue"
  static let enumNames = "_names"
  static let enumCases = "_cases"
  static let enumPosition = "_position"
  static let inputFields = "_fields"
  static let oneOfField = "_field"

  /// Nested types of the classes of root queries, which hide types of the namespace in them.
  static let memberTypes: WordSet = [response]

  // Functions of `AbstractQuery` and `Directive` that builder methods call.
  static let begin = "_begin"
  static let end = "_end"
  static let field = "_field"
  static let argument = "_arg"
  static let child = "_child"
  static let on = "_on"
  static let applyDirective = "_directive"

  /// Names that a builder method must not use, since the bodies call them.
  static let queryHelpers: WordSet = [begin, end, field, argument, child, on, applyDirective]

  // Functions of `InputFields` that methods of input objects call.
  static let set = "set"
  static let readOptional = "optional"
  static let readRequired = "required"

  // Functions of `AbstractResponse` that accessors call; `Opt` is added if the field is nullable.
  static let string = "_string"
  static let int = "_int"
  static let double = "_double"
  static let bool = "_bool"
  static let readID = "_id"
  static let one = "_one"
  static let any = "_any"
  static let optionalSuffix = "Opt"
  static let list = "_list"
  static let anyList = "_anyList"
  static let anys = "_anys"
  static let value = "_value"

  /// Names that an accessor must not use, since the bodies call them.
  static let responseHelpers = WordSet(
    Set([string, int, double, bool, readID, one, any].flatMap { [$0, $0 + optionalSuffix] })
      .union([list, anyList, anys, value]))

  // Types of typed operations.
  static let typedQuery = "GraphQL.TypedQuery"
  static let typedMutation = "GraphQL.TypedMutation"
  static let typedSubscription = "GraphQL.TypedSubscription"
  static let typedFragment = "GraphQL.TypedFragment"
  static let selectedRoot = "GraphQL.SelectedRoot"
  static let selectedObject = "GraphQL.SelectedObject"
  static let fields = "GraphQL.Fields"
  static let delivery = "GraphQL.Delivery"
  static let responseError = "GraphQL.ResponseError"
  static let documentText = "GraphQL.DocumentText"
  static let variables = "GraphQL.Variables"

  // Their members.
  static let document = "_document"
  static let selectedFields = "_fields"
  static let storedVariables = "_variables"
  static let localVariables = "variables"
  static let addVariable = "_add"
  static let data = "Data"

  // Functions of `Fields` that accessors call; `Opt` is added if the value is optional.
  static let readString = "string"
  static let readInt = "int"
  static let readDouble = "double"
  static let readBool = "bool"
  static let readKey = "id"
  static let readValue = "value"
  static let readObject = "one"
  static let readObjects = "list"
  static let readNestedObjects = "lists"
  static let readDelivery = "delivery"
  static let readCaught = "orError"
}
