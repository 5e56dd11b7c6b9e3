import GraphJSON

extension GraphQL {
  /// An enum of the schema (specification: 3.9 Enums). Generated enums adopt it.
  ///
  /// A generated enum is a list of cases and one string of names. Everything else is here, because
  /// a `String` raw type costs a fifth of the compile time of a large schema.
  public protocol Enum: CaseIterable, Hashable, Sendable, InputValue, OutputValue,
    CustomStringConvertible
  where AllCases == [Self] {
    /// The schema's names in the order of the cases, separated by spaces, without `unknownValue`.
    static var _names: StaticString { get }

    /// A value that the schema did not list when the code was generated.
    static var unknownValue: Self { get }
  }
}

// Safe: tables live forever, and this one is only used for positions of its own type.
extension GraphQL.Enum {
  /// The schema's name of the value; empty for `unknownValue`, whose own text is in the response
  /// (see ``GraphQL/ResponseReading/rawText(_:)``).
  public var rawValue: String { unsafe GraphQL.EnumTable.of(Self.self).pointee.name(of: self) }

  /// The case with a name of the schema, `unknownValue` for any other text.
  public init(rawValue: String) {
    let table = unsafe GraphQL.EnumTable.of(Self.self)
    self = unsafe table.pointee.value(
      at: rawValue.withBytes { unsafe table.pointee.position(of: $0) })
  }

  public var description: String { rawValue.isEmpty ? "unknownValue" : rawValue }

  public func _write(to writer: inout GraphQL.ValueWriter) {
    let name = rawValue
    if name.isEmpty {
      writer.fail("\(Self.self).unknownValue cannot be sent")
    } else {
      writer.enumValue(name)
    }
  }
}
