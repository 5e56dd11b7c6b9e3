import GraphJSON

extension GraphQL {
  /// Writes input values as JSON (for variables) or as GraphQL literals (for readable documents).
  public struct ValueWriter {
    enum Form: Sendable {
      case json, literal
    }

    private(set) var bytes: [UInt8] = []
    private(set) var problems: [String] = []
    /// Uploads met on the way, with the path of each below the value's root.
    private(set) var uploads: [(path: String, upload: Upload)] = []
    /// A value without literal form was met; the argument has to stay a variable.
    private(set) var needsVariable = false
    private let form: Form
    private var isFirst = true
    private var path: [String] = []

    init(_ form: Form) {
      self.form = form
    }

    mutating func fail(_ problem: String) {
      problems.append(problem)
      raw("null")
    }

    mutating func null() { raw("null") }

    mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    /// Writes a number's text, which is the same in JSON and in GraphQL.
    mutating func number(_ text: String) { raw(text) }

    /// Writes a string. A GraphQL string takes every escape that a JSON string has
    /// (specification: 2.9.4 String Value).
    mutating func string(_ value: String) { JSONWriter.appendString(value, to: &bytes) }

    /// Writes an enum value: a bare name in a literal, a string in JSON.
    mutating func enumValue(_ name: String) {
      switch form {
      case .json: string(name)
      case .literal: raw(name)
      }
    }

    mutating func list(_ body: (inout ValueWriter) -> Void) {
      group("[", "]", body)
    }

    mutating func element(_ body: (inout ValueWriter) -> Void) {
      separate()
      path.append("\(path.isEmpty ? 0 : elementIndex)")
      elementIndex += 1
      let saved = elementIndex
      elementIndex = 0
      body(&self)
      elementIndex = saved
      path.removeLast()
      isFirst = false
    }

    mutating func object(_ body: (inout ValueWriter) -> Void) {
      group("{", "}", body)
    }

    mutating func member(_ name: String, _ body: (inout ValueWriter) -> Void) {
      separate()
      switch form {
      case .json: string(name)
      case .literal:
        if !Name.isValid(name) { needsVariable = true }
        raw(name)
      }
      raw(form == .json ? ":" : ": ")
      path.append(name)
      body(&self)
      path.removeLast()
      isFirst = false
    }

    mutating func upload(_ upload: Upload) {
      needsVariable = true
      uploads.append((path.joined(separator: "."), upload))
      raw("null")
    }

    private var elementIndex = 0

    private mutating func group(
      _ open: String, _ close: String, _ body: (inout ValueWriter) -> Void
    ) {
      raw(open)
      let savedFirst = isFirst
      let savedIndex = elementIndex
      isFirst = true
      elementIndex = 0
      body(&self)
      isFirst = savedFirst
      elementIndex = savedIndex
      raw(close)
    }

    private mutating func separate() {
      if !isFirst { raw(form == .json ? "," : ", ") }
    }

    private mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }
  }

  /// GraphQL names (specification: 2.1.9 Names).
  enum Name {
    static func isValid(_ name: String) -> Bool {
      guard let first = name.utf8.first, isStart(first) else { return false }
      return name.utf8.dropFirst().allSatisfy(isContinue)
    }

    static func isStart(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }

    static func isContinue(_ byte: UInt8) -> Bool {
      isStart(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
  }
}
