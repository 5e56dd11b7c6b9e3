import GraphJSON

extension GraphQL {
  /// Splits the text of a document into tokens (specification: 2.1 Source Text).
  ///
  /// The generator has validated the text, so an error is one of the generator; the program stops with a
  /// message.
  struct DocumentScanner {
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

    init(_ text: [UInt8]) {
      self.text = text
      advance()
    }

    /// Takes the current token.
    mutating func next() -> Token {
      let current = token
      advance()
      return current
    }

    /// Takes the punctuator if it is the current token.
    mutating func takes(_ punctuator: Character) -> Bool {
      guard let byte = punctuator.asciiValue, token == .punctuator(byte) else { return false }
      advance()
      return true
    }

    mutating func name() -> String {
      guard case .name(let name) = next() else { failed("a name is expected") }
      return name
    }

    mutating func expect(_ punctuator: Character) {
      if !takes(punctuator) { failed("`\(punctuator)` is expected") }
    }

    func failed(_ problem: String) -> Never {
      preconditionFailure(
        "the text of a typed operation is not a document: \(problem) before byte \(position); generate the "
          + "code again")
    }

    private mutating func advance() {
      skipIgnored()
      guard position < text.count else {
        token = .end
        return
      }
      let byte = text[position]
      switch byte {
      case UInt8(ascii: "\""): token = .string(string())
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

    /// The generator writes spaces and commas, and no comments.
    private mutating func skipIgnored() {
      while position < text.count, [UInt8(ascii: " "), UInt8(ascii: ",")].contains(text[position]) {
        position += 1
      }
    }

    /// A string in quotes. The generator writes no block strings, and escapes that JSON has as well.
    private mutating func string() -> String {
      let start = position
      position += 1
      while position < text.count, text[position] != UInt8(ascii: "\"") {
        position += text[position] == UInt8(ascii: "\\") ? 2 : 1
      }
      position = min(position + 1, text.count)
      guard let json = try? JSON(parsing: Array(text[start..<position])),
        case .string(let value) = json
      else { failed("a string is expected") }
      return value
    }
  }
}
