extension GraphQL {
  /// An enum of the schema (specification: 3.9 Enums). Generated enums adopt it.
  ///
  /// The raw value is the name in the schema. A text that the schema did not list when the code was generated is
  /// an `unknownValue` with that text, so reading and decoding never fail for a new value, and it is sent
  /// with that text. Two values are equal if their raw values are.
  ///
  /// A generated enum is a list of cases, one string of names and one `switch`. Everything else is here, because
  /// a `String` raw type costs a fifth of the compile time of a large schema.
  public protocol Enum: RawRepresentable, Codable, CaseIterable, Hashable, Sendable, InputValue,
    OutputValue, CustomStringConvertible
  where AllCases == [Self], RawValue == String {
    /// The schema's names in the order of the cases, separated by spaces.
    static var _names: StaticString { get }

    /// The cases that the schema lists. A member of the protocol, since Swift synthesises no `allCases` for an
    /// enum with a payload, and since generated code may read deprecated cases only in a deprecated member.
    static var _cases: [Self] { get }

    /// The position of the value in `_cases`, or -1 for an `unknownValue`, whose text is assigned to `text`.
    func _position(_ text: inout String) -> Int

    /// A value that the schema did not list when the code was generated.
    static func unknownValue(_ text: String) -> Self
  }
}

// Safe: tables live forever, and this one is only used for positions of its own type.
extension GraphQL.Enum {
  /// The cases that the schema lists, including deprecated ones.
  public static var allCases: [Self] { _cases }

  /// The name in the schema, or the text of an `unknownValue`.
  public var rawValue: String {
    var text = ""
    let position = _position(&text)
    if position < 0 { return text }
    return unsafe GraphQL.EnumTable.of(Self.self).pointee.name(at: position)
  }

  /// The case with a name of the schema, `unknownValue` for any other text.
  public init(rawValue: String) {
    let table = unsafe GraphQL.EnumTable.of(Self.self)
    let position = unsafe rawValue.withBytes { unsafe table.pointee.position(of: $0) }
    self =
      if let position { unsafe table.pointee.value(at: position) } else { .unknownValue(rawValue) }
  }

  public var description: String { rawValue }

  public static func == (left: Self, right: Self) -> Bool {
    var (leftText, rightText) = ("", "")
    let (leftPosition, rightPosition) = (left._position(&leftText), right._position(&rightText))
    if leftPosition >= 0, rightPosition >= 0 { return leftPosition == rightPosition }
    return left.rawValue == right.rawValue
  }

  /// A text that is not the name of an enum value (specification: 2.9.6 Enum Value) becomes an
  /// ``InvalidQuery``.
  public func _write(to writer: inout GraphQL.ValueWriter) {
    let name = rawValue
    if GraphQL.Name.isEnumValue(name) {
      writer.enumValue(name)
    } else {
      writer.fail("a value of \(Self.self) whose text is not a GraphQL name cannot be sent")
    }
  }
}
