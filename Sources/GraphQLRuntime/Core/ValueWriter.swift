import GraphJSON

extension GraphQL {
  /// Writes input values as JSON (for variables) or as GraphQL literals (for readable documents).
  ///
  /// If the type is known, a null for a value that must not be null is found here. A field with a
  /// default value may be left out, but may not be null.
  public struct ValueWriter {
    package enum Form: Sendable {
      case json, literal
    }

    /// How deep lists and objects may nest.
    static let maximumDepth = 200

    package private(set) var bytes: [UInt8] = []
    package private(set) var problems: [String] = []
    /// Uploads that were found, with the path of each below the value's root.
    private(set) var uploads: [(path: String, upload: Upload)] = []
    /// Whether there was a value without literal form; the argument has to stay a variable.
    private(set) var needsVariable = false
    let form: Form
    private let schema: SchemaTable?
    /// The type that the schema requires at this position.
    var expected: Expectation?
    /// The input object whose fields are being written.
    private var object: TypeInfo?
    private var path: [Step] = []
    /// Whether nothing was written yet in the current list or object.
    private var isFirst = true
    private var depth = 0

    struct Expectation {
      var wrapping: Wrapping
      let name: String

      init(_ type: TypeReference) {
        wrapping = type.wrapping
        name = type.name
      }

      /// The required type of a list's elements; a single value is accepted as a list of one
      /// (specification: 3.11 List, Input Coercion).
      var element: Expectation {
        var copy = self
        if copy.wrapping.outermost == .nonNull { copy.wrapping = copy.wrapping.inner }
        if copy.wrapping.outermost == .list { copy.wrapping = copy.wrapping.inner }
        return copy
      }
    }

    private enum Step {
      case field(String)
      case element(Int)
    }

    /// - Parameter type: the type of the value in `schema`, if it is known.
    package init(_ form: Form, type: TypeReference? = nil, schema: SchemaTable? = nil) {
      self.form = form
      self.schema = schema
      expected = type.map { Expectation($0) }
    }

    /// Begins a member of an object that is not nested, for a variable: `{"first1":` or
    /// `,"after2":`.
    mutating func member(variable name: String) {
      let isFirst = bytes.isEmpty
      if isFirst { bytes.reserveCapacity(Self.usualSize) }
      raw(isFirst ? "{\"" : ",\"")
      raw(name)
      raw("\":")
    }

    /// Begins such a member whose JSON before the value is known.
    mutating func member(prefix: ArraySlice<UInt8>) {
      if bytes.isEmpty { bytes.reserveCapacity(Self.usualSize) }
      bytes += prefix
    }

    /// Adds a member to an object, `{}` or one that this has written. The writer is empty before and afterwards.
    ///
    /// - Parameter prefix: the JSON before the value, with a comma.
    mutating func addMember(
      prefix: [UInt8], to object: inout [UInt8], _ value: (inout ValueWriter) -> Void
    ) {
      swap(&bytes, &object)
      let isEmpty = bytes.count == 2
      bytes.removeLast()
      if isEmpty { bytes.reserveCapacity(Self.usualSize) }
      bytes += isEmpty ? prefix.dropFirst() : prefix[...]
      value(&self)
      bytes.append(UInt8(ascii: "}"))
      swap(&bytes, &object)
    }

    /// The object of the members that were written, which may be empty. The writer is empty
    /// afterwards.
    mutating func takeMembers() -> [UInt8] {
      if bytes.isEmpty { bytes.append(UInt8(ascii: "{")) }
      bytes.append(UInt8(ascii: "}"))
      defer { bytes = [] }
      return bytes
    }

    /// Enough for the variables of most operations.
    private static let usualSize = 256

    /// The findings of the values written so far, which are then reset; nil if there are none.
    mutating func takeFindings() -> (
      problems: [String], uploads: [(path: String, upload: Upload)]
    )? {
      if problems.isEmpty, uploads.isEmpty { return nil }
      defer {
        problems = []
        uploads = []
      }
      return (problems, uploads)
    }

    mutating func fail(_ problem: String) {
      problems.append(path.isEmpty ? problem : "`\(pathText)`: \(problem)")
      raw("null")
    }

    mutating func null() {
      if let expected, expected.wrapping.outermost == .nonNull {
        fail("null where the schema requires a value")
      } else {
        raw("null")
      }
    }

    mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    /// Writes a number's text, which is the same in JSON and in GraphQL.
    mutating func number(_ text: String) { raw(text) }

    /// Writes an integer without creating its text first, which would need an allocation.
    mutating func integer(_ value: Int32) {
      if value < 0 { bytes.append(UInt8(ascii: "-")) }
      var power: UInt32 = 1
      let magnitude = value.magnitude
      while magnitude / power >= 10 { power *= 10 }
      while power > 0 {
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude / power % 10))
        power /= 10
      }
    }

    /// Writes a string. A GraphQL string allows every escape of a JSON string (specification: 2.9.4
    /// String Value).
    mutating func string(_ value: String) { JSONWriter.appendString(value, to: &bytes) }

    /// Writes an enum value: a bare name in a literal, a string in JSON.
    mutating func enumValue(_ name: String) {
      switch form {
      case .json: string(name)
      case .literal: raw(name)
      }
    }

    /// Writes a JSON tree as JSON.
    mutating func json(_ value: JSON) {
      var writer = JSONWriter()
      writer.value(value)
      bytes.append(contentsOf: writer.finish())
    }

    mutating func list<Elements: Collection>(
      _ elements: Elements, _ write: (Elements.Element, inout ValueWriter) -> Void
    ) {
      group("[", "]") { writer in
        let list = writer.expected
        writer.expected = list?.element
        var position = 0
        for element in elements {
          writer.separate()
          writer.path.append(.element(position))
          write(element, &writer)
          writer.path.removeLast()
          position += 1
        }
        writer.expected = list
      }
    }

    mutating func object(_ body: (inout ValueWriter) -> Void) {
      group("{", "}") { writer in
        let outer = writer.object
        let own = writer.expected
        writer.object = own.flatMap { writer.schema?.type(named: $0.name) }
        body(&writer)
        writer.object = outer
        writer.expected = own
      }
    }

    mutating func member(_ name: String, _ write: (inout ValueWriter) -> Void) {
      separate()
      switch form {
      case .json:
        string(name)
        raw(":")
      case .literal:
        if !Name.isValid(name) { needsVariable = true }
        raw(name)
        raw(": ")
      }
      expected = object?.field(name).map {
        Expectation($0.type)
      }
      path.append(.field(name))
      write(&self)
      path.removeLast()
    }

    mutating func upload(_ upload: Upload) {
      needsVariable = true
      uploads.append((pathText, upload))
      raw("null")
    }

    /// Reports that the value has no literal form; the text written in its place is not used.
    mutating func keepAsVariable() {
      needsVariable = true
      raw("null")
    }

    var isTooDeep: Bool { depth >= Self.maximumDepth }

    private mutating func group(
      _ open: String, _ close: String, _ body: (inout ValueWriter) -> Void
    ) {
      guard !isTooDeep else {
        return fail("lists and objects are nested more than \(Self.maximumDepth) levels deep")
      }
      raw(open)
      let outer = isFirst
      isFirst = true
      depth += 1
      body(&self)
      depth -= 1
      isFirst = outer
      raw(close)
    }

    private mutating func separate() {
      if !isFirst { raw(form == .json ? "," : ", ") }
      isFirst = false
    }

    /// `lines.0.id`, the multipart request specification's form of paths in the variables.
    private var pathText: String {
      path.map { step in
        switch step {
        case .field(let name): name
        case .element(let position): "\(position)"
        }
      }
      .joined(separator: ".")
    }

    private mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }
  }
}
