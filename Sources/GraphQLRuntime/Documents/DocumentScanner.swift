import GraphJSON

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
