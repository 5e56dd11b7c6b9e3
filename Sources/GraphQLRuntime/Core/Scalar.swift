import Foundation
import GraphJSON

extension GraphQL {
  /// A Swift type for a custom scalar (specification: 3.5 Scalars).
  ///
  /// ```swift
  /// struct Money: GraphQL.Scalar {
  ///   var cents: Int32
  ///
  ///   init(cents: Int32) { self.cents = cents }
  ///   init(scalar: GraphQL.JSON) throws {
  ///     guard case .number(let number) = scalar, let cents = number.int32 else {
  ///       throw GraphQL.ScalarMismatch(expected: "an amount in cents")
  ///     }
  ///     self.cents = cents
  ///   }
  ///
  ///   var scalar: GraphQL.JSON { .number(JSON.Number(cents)) }
  ///   static var placeholder: Money { Money(cents: 0) }
  /// }
  /// ```
  public protocol Scalar: InputValue, OutputValue, Equatable {
    /// Reads the scalar's JSON form.
    ///
    /// - Throws: any error, if the JSON does not have the form; it becomes a ``SchemaViolation``
    ///   with the response path. The same JSON must always give the same result.
    init(scalar: JSON) throws

    /// The JSON form, in which the value is sent.
    var scalar: JSON { get }

    /// How the bytes of a value show that it certainly has the form. If they do not,
    /// ``init(scalar:)`` decides, as it does for types that do not implement this.
    static var _plainText: PlainText? { get }

    /// Any value of the type; it represents a field while a key path is resolved.
    static var placeholder: Self { get }
  }

  /// A scalar's JSON has a form that its Swift type does not read.
  public struct ScalarMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// The expected format, as a noun: `a date and time in the format of RFC 3339`.
    public let expected: String

    /// - Parameter expected: the expected format, as a noun.
    public init(expected: String) {
      self.expected = expected
    }

    public var description: String { "expected \(expected)" }
  }
}

extension GraphQL {
  /// How the bytes of a scalar show that it is valid. Creating a JSON value, its string and a Foundation
  /// object for each took half of the time of checking a response.
  // Safe: a check reads at most eight bytes from the start of the text, or the text. All texts are in a document, which
  // has eight more bytes after its end.
  @safe public struct PlainText: Sendable, BitwiseCopyable {
    /// Whether the contents of a string without escapes, or a number, are certainly valid.
    let check: RecordStep.TextCheck
    let acceptsNumbers: Bool

    init(_ check: RecordStep.TextCheck, acceptsNumbers: Bool = false) {
      unsafe self.check = unsafe check
      self.acceptsNumbers = acceptsNumbers
    }

    // Safe: the caller passes the index of a value, whose memory is valid during the call.
    @inline(__always)
    func accepts(_ value: Int, in tape: JSONTape) -> Bool {
      let check = unsafe check
      let isValid =
        if acceptsNumbers {
          unsafe tape.withPlainText(at: value) { unsafe check($0.baseAddress!, $0.count) }
        } else {
          unsafe tape.withPlainString(at: value) { unsafe check($0.baseAddress!, $0.count) }
        }
      return isValid ?? false
    }
  }
}

// Safe: the index is that of a value in this document, which is kept alive during the call.
extension GraphQL.ValueReader {
  /// The value that `body` reads from the bytes of a string without escapes.
  @inline(__always)
  func plainString<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value?) -> Value? {
    unsafe tape.withPlainString(at: index, body)
  }

  /// The result of `init(scalar:)` for the value.
  func decoded<Value: GraphQL.Scalar>() -> Value? {
    try? Value(scalar: json.json(at: index))
  }
}

extension GraphQL {
  /// The `ID` scalar: an opaque identifier (specification: 3.5.5 ID).
  ///
  /// IDs are equal if their bytes are, as for GraphQL servers. Swift's own comparison of strings
  /// ignores Unicode's normal forms.
  public struct ID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    /// The identifier as it was received and is sent.
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
      rawValue = value
    }

    public static func == (left: ID, right: ID) -> Bool {
      left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// Whether the bytes differ; the standard library's own for raw values compares strings.
    public static func != (left: ID, right: ID) -> Bool { !(left == right) }

    public func hash(into hasher: inout Hasher) { rawValue.hashBytes(into: &hasher) }

    public var description: String { rawValue }
  }
}

extension GraphQL.ID: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) { writer.string(rawValue) }
}

extension GraphQL {
  /// Any JSON value: the type of scalars without a Swift type of their own.
  public typealias JSON = GraphJSON.JSON

  /// The `URL` and `URI` scalars: a URL as of RFC 3986.
  public typealias URL = Foundation.URL
}

extension GraphQL {
  /// A value that can be sent: as an argument, in a variable, or in an input object
  /// (specification: 2.9 Input Values).
  public protocol InputValue: Sendable {
    /// Writes the value as JSON or as a GraphQL literal. A value that cannot be sent is reported to
    /// the writer and becomes an ``InvalidQuery``.
    func _write(to writer: inout ValueWriter)
  }
}

extension String: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) { writer.string(self) }
}

/// GraphQL's Int has 32 bits (specification: 3.5.1 Int). A value that needs more becomes an ``GraphQL/InvalidQuery``.
extension Int: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) {
    guard let value = Int32(exactly: self) else {
      return writer.fail("the integer needs more than the 32 bits of GraphQL's Int")
    }
    writer.integer(value)
  }
}

extension Double: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) {
    guard isFinite else { return writer.fail("\(self) has no JSON form") }
    writer.number("\(self)")
  }
}

extension Bool: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) { writer.bool(self) }
}

extension Array: GraphQL.InputValue where Element: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) {
    writer.list(self) { $0._write(to: &$1) }
  }
}

extension Optional: GraphQL.InputValue where Wrapped: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) {
    if let self { self._write(to: &writer) } else { writer.null() }
  }
}

extension GraphQL {
  /// A file that is sent with the operation, according to the multipart request specification. The
  /// variables contain a null in its place.
  public struct Upload: Sendable, Hashable {
    /// The source of the bytes.
    public enum Content: Sendable, Hashable {
      case data(Data)
      /// A file on disk, read while it is sent.
      case file(URL)
    }

    /// The bytes.
    public let content: Content
    /// The file name for the server.
    public let fileName: String
    /// A media type, such as `image/png`. It is sent without its control characters; if it is empty, no media
    /// type is sent, which means `text/plain` (RFC 7578, section 4.4).
    public let contentType: String

    /// - Parameters:
    ///   - content: the source of the bytes.
    ///   - fileName: the file name for the server.
    ///   - contentType: a media type.
    public init(
      _ content: Content, fileName: String, contentType: String = "application/octet-stream"
    ) {
      self.content = content
      self.fileName = fileName
      self.contentType = contentType
    }
  }
}

extension GraphQL.Upload: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) { writer.upload(self) }
}

extension GraphQL {
  /// A value that generated accessors read from a response.
  ///
  /// The built-in and custom scalars, enums and response classes are output values, and so are
  /// optionals and arrays of them, whatever their nesting.
  public protocol OutputValue: SendableMetatype {
    /// The value at the reader's position; nil if the value has another form.
    static func _read(_ reader: ValueReader) -> Self?

    /// The value at the reader's position, for generic code. Creating an optional of a type that is
    /// only known at run time needs a lookup of its metadata, which takes longer than most reads.
    static func _require(_ reader: ValueReader) throws(WrongForm) -> Self

    /// The value that a probe finds in a field of this type: see ``FieldPath``.
    static func _placeholder(_ context: ProbeContext) -> Self

    /// Whether two placeholders are the same.
    static func _same(_ left: Self, _ right: Self) -> Bool
  }

  /// The value at a position does not have the requested type.
  public struct WrongForm: Error {}
}

extension GraphQL.OutputValue {
  /// Inlined, so that the witness of a type of this module reads a type that it knows.
  @inline(__always)
  public static func _require(_ reader: GraphQL.ValueReader) throws(GraphQL.WrongForm) -> Self {
    guard let value = _read(reader) else { throw GraphQL.WrongForm() }
    return value
  }
}

extension GraphQL.OutputValue where Self: Equatable {
  public static func _same(_ left: Self, _ right: Self) -> Bool { left == right }
}

extension GraphQL {
  /// Optional, as a value or type that is only known at run time.
  protocol OptionalValue {
    static var absent: Self { get }
    var isAbsent: Bool { get }
  }
}

extension Optional: GraphQL.OptionalValue {
  static var absent: Self { nil }
  var isAbsent: Bool { self == nil }
}

extension GraphQL {
  /// A position in a response.
  // Safe: the index is that of a value in this document, whose memory it keeps alive.
  public struct ValueReader: Sendable {
    let document: ResponseDocument
    let index: Int

    var json: JSONDocument { document.json }
    @inline(__always) var tape: JSONTape { unsafe document.tape }
    @inline(__always) var isNull: Bool { unsafe tape.kind(at: index) == .null }

    func at(_ index: Int) -> ValueReader { ValueReader(document: document, index: index) }

    var string: String? { unsafe tape.string(at: index) }
  }
}

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
