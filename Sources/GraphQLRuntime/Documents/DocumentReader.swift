import GraphJSON

extension GraphQL {
  /// Reads a text that the generator or the runtime has written (specification: 2 Language).
  struct DocumentReader {
    /// The deepest nesting of selection sets and values; a text that was changed may have any.
    private static let maximumDepth = 500

    private typealias Malformed = DocumentScanner.Malformed

    private var scanner: DocumentScanner
    private var depth = 0

    private init(_ text: [UInt8]) throws(Malformed) {
      scanner = try DocumentScanner(text)
    }

    /// The generator has validated the text, so an error is one of the generator; the program stops with a
    /// message.
    // Safe: the literal keeps its bytes valid during the call, which copies them.
    static func read(_ text: StaticString) -> DocumentTemplate {
      do throws(Malformed) {
        return try read(bytes: text.withUTF8Buffer { unsafe Array($0) })
      } catch {
        preconditionFailure(
          "the text of a typed operation is not a document: \(error.problem) before byte \(error.position); "
            + "generate the code again")
      }
    }

    /// A document that was stored; nil if it has another form than the runtime and the generator write.
    static func read(_ text: String) -> DocumentTemplate? {
      try? read(bytes: Array(text.utf8))
    }

    private static func read(bytes: [UInt8]) throws(Malformed) -> DocumentTemplate {
      var reader = try DocumentReader(bytes)
      return try reader.document()
    }

    /// Reads a part that may contain parts of its own kind.
    private mutating func nested<T>(
      _ read: (inout DocumentReader) throws(Malformed) -> T
    ) throws(Malformed) -> T {
      guard depth < Self.maximumDepth else { throw scanner.failure("the nesting is too deep") }
      depth += 1
      defer { depth -= 1 }
      return try read(&self)
    }

    private mutating func document() throws(Malformed) -> DocumentTemplate {
      var document = DocumentTemplate()
      while scanner.token != .end {
        let keyword = try scanner.name()
        if keyword == "fragment" {
          let fragment = try fragment()
          if document.kind == nil, document.fragments.isEmpty { document.name = fragment.name }
          document.fragments.append(fragment)
        } else if let kind = OperationType(rawValue: keyword), document.kind == nil {
          document.kind = kind
          document.name = ""
          if case .name = scanner.token { document.name = try scanner.name() }
          document.variables = try variables()
          _ = try directives()
          document.selections = try selectionSet()
        } else {
          throw scanner.failure("a definition is expected")
        }
      }
      return document
    }

    private mutating func fragment() throws(Malformed) -> DocumentTemplate.Fragment {
      let name = try scanner.name()
      guard try scanner.name() == "on" else { throw scanner.failure("`on` is expected") }
      let typeName = try scanner.name()
      _ = try directives()
      return DocumentTemplate.Fragment(
        name: name, typeName: typeName, selections: try selectionSet())
    }

    private mutating func variables() throws(Malformed) -> [DocumentTemplate.Variable] {
      var variables: [DocumentTemplate.Variable] = []
      guard try scanner.takes("(") else { return variables }
      while try !scanner.takes(")") {
        try scanner.expect("$")
        let name = try scanner.name()
        try scanner.expect(":")
        let type = try type()
        let value = try scanner.takes("=") ? try self.value() : nil
        _ = try directives()
        variables.append(DocumentTemplate.Variable(name: name, type: type, defaultValue: value))
      }
      return variables
    }

    private mutating func type() throws(Malformed) -> String {
      var text: String
      if try scanner.takes("[") {
        text = "[\(try nested { reader throws(Malformed) in try reader.type() })]"
        try scanner.expect("]")
      } else {
        text = try scanner.name()
      }
      if try scanner.takes("!") { text += "!" }
      return text
    }

    private mutating func selectionSet() throws(Malformed) -> [TemplateSelection] {
      try nested { reader throws(Malformed) in
        try reader.scanner.expect("{")
        var selections: [TemplateSelection] = []
        while try !reader.scanner.takes("}") { selections.append(try reader.selection()) }
        return selections
      }
    }

    private mutating func selection() throws(Malformed) -> TemplateSelection {
      guard scanner.token == .spread else { return .field(try field()) }
      _ = try scanner.next()
      var typeName: String?
      if case .name(let name) = scanner.token {
        _ = try scanner.next()
        guard name == "on" else { return .spread(name: name, try directives()) }
        typeName = try scanner.name()
      }
      let applied = try directives()
      return .inlineFragment(typeName: typeName, applied, try selectionSet())
    }

    private mutating func field() throws(Malformed) -> TemplateField {
      let first = try scanner.name()
      let name = try scanner.takes(":") ? try scanner.name() : first
      let arguments = try arguments()
      let directives = try directives()
      let hasSelections = scanner.token == .punctuator(UInt8(ascii: "{"))
      return TemplateField(
        responseName: first, name: name, arguments: arguments, directives: directives,
        selections: hasSelections ? try selectionSet() : nil)
    }

    private mutating func directives() throws(Malformed) -> [TemplateDirective] {
      var directives: [TemplateDirective] = []
      while try scanner.takes("@") {
        directives.append(TemplateDirective(name: try scanner.name(), arguments: try arguments()))
      }
      return directives
    }

    private mutating func arguments() throws(Malformed) -> [TemplateArgument] {
      try scanner.takes("(") ? try members(until: ")") : []
    }

    private mutating func members(until end: Character) throws(Malformed) -> [TemplateArgument] {
      var members: [TemplateArgument] = []
      while try !scanner.takes(end) {
        let name = try scanner.name()
        try scanner.expect(":")
        members.append(
          TemplateArgument(
            name: name, value: try nested { reader throws(Malformed) in try reader.value() }))
      }
      return members
    }

    private mutating func value() throws(Malformed) -> TemplateValue {
      switch try scanner.next() {
      case .name("true"): .json(.bool(true))
      case .name("false"): .json(.bool(false))
      case .name("null"): .json(.null)
      case .name(let name): .json(.string(name))
      case .string(let text): .json(.string(text))
      case .number(let text): .json((try? JSON(parsing: Array(text.utf8))) ?? .null)
      case .punctuator(UInt8(ascii: "$")): .variable(try scanner.name())
      case .punctuator(UInt8(ascii: "[")): try list()
      case .punctuator(UInt8(ascii: "{")): .object(try members(until: "}"))
      default: throw scanner.failure("a value is expected")
      }
    }

    private mutating func list() throws(Malformed) -> TemplateValue {
      var elements: [TemplateValue] = []
      while try !scanner.takes("]") {
        elements.append(try nested { reader throws(Malformed) in try reader.value() })
      }
      return .list(elements)
    }
  }
}

extension GraphQL {
  /// Splits the text of a document into tokens (specification: 2.1 Source Text).
  ///
  struct DocumentScanner {
    /// The text is not a document.
    struct Malformed: Error {
      let problem: String
      /// In bytes.
      let position: Int
    }

    enum Token: Equatable {
      case name(String)
      case punctuator(UInt8)
      case spread
      /// The text of an integer or a float.
      case number(String)
      case string(String)
      case end
    }

    private let text: [UInt8]
    private var position = 0
    private(set) var token = Token.end

    init(_ text: [UInt8]) throws(Malformed) {
      self.text = text
      try advance()
    }

    /// Takes the current token.
    mutating func next() throws(Malformed) -> Token {
      let current = token
      try advance()
      return current
    }

    /// Takes the punctuator if it is the current token.
    mutating func takes(_ punctuator: Character) throws(Malformed) -> Bool {
      guard let byte = punctuator.asciiValue, token == .punctuator(byte) else { return false }
      try advance()
      return true
    }

    mutating func name() throws(Malformed) -> String {
      guard case .name(let name) = try next() else { throw failure("a name is expected") }
      return name
    }

    mutating func expect(_ punctuator: Character) throws(Malformed) {
      if try !takes(punctuator) { throw failure("`\(punctuator)` is expected") }
    }

    func failure(_ problem: String) -> Malformed {
      Malformed(problem: problem, position: position)
    }

    private mutating func advance() throws(Malformed) {
      skipIgnored()
      guard position < text.count else {
        token = .end
        return
      }
      let byte = text[position]
      switch byte {
      case UInt8(ascii: "\""): token = .string(try string())
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        token = .number(run { Name.isContinue($0) || [0x2B, 0x2D, 0x2E].contains($0) })
      case UInt8(ascii: "."):
        position += 3
        token = .spread
      case _ where Name.isContinue(byte): token = .name(run(Name.isContinue))
      default:
        position += 1
        token = .punctuator(byte)
      }
    }

    private mutating func run(_ isPart: (UInt8) -> Bool) -> String {
      let start = position
      while position < text.count, isPart(text[position]) { position += 1 }
      return String(decoding: text[start..<position], as: UTF8.self)
    }

    /// Documents that are sent have spaces and commas, and no comments.
    private mutating func skipIgnored() {
      while position < text.count, [0x20, 0x0A, UInt8(ascii: ",")].contains(text[position]) {
        position += 1
      }
    }

    /// A string in quotes. The runtime and the generator write no block strings, and escapes that JSON has as well.
    private mutating func string() throws(Malformed) -> String {
      let start = position
      position += 1
      while position < text.count, text[position] != UInt8(ascii: "\"") {
        position += text[position] == UInt8(ascii: "\\") ? 2 : 1
      }
      position = min(position + 1, text.count)
      guard let json = try? JSON(parsing: Array(text[start..<position])),
        case .string(let value) = json
      else { throw failure("a string is expected") }
      return value
    }
  }
}
