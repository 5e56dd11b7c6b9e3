import GraphJSON

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
