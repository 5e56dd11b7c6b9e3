extension GraphQL {
  /// A nullable field of an input object, which has three states (specification: 3.10 Input
  /// Objects): left out, null, or a value.
  ///
  /// The literal `nil` leaves the field out, as it does for arguments; `.null` sends a null.
  public enum Input<Value: InputValue>: Sendable {
    case undefined
    case null
    case value(Value)

    /// The value, or `undefined` for nil.
    public init(_ value: Value?) {
      self = value.map(Input.value) ?? .undefined
    }

    /// The value, or nil if the field is left out or null.
    public var value: Value? {
      if case .value(let value) = self { value } else { nil }
    }
  }
}

extension GraphQL.Input: Equatable where Value: Equatable {}
extension GraphQL.Input: Hashable where Value: Hashable {}

extension GraphQL.Input: ExpressibleByNilLiteral {
  public init(nilLiteral: ()) { self = .undefined }
}

extension GraphQL.Input: ExpressibleByUnicodeScalarLiteral
where Value: ExpressibleByUnicodeScalarLiteral {
  public init(unicodeScalarLiteral value: Value.UnicodeScalarLiteralType) {
    self = .value(Value(unicodeScalarLiteral: value))
  }
}

extension GraphQL.Input: ExpressibleByExtendedGraphemeClusterLiteral
where Value: ExpressibleByExtendedGraphemeClusterLiteral {
  public init(extendedGraphemeClusterLiteral value: Value.ExtendedGraphemeClusterLiteralType) {
    self = .value(Value(extendedGraphemeClusterLiteral: value))
  }
}

extension GraphQL.Input: ExpressibleByStringLiteral where Value: ExpressibleByStringLiteral {
  public init(stringLiteral value: Value.StringLiteralType) {
    self = .value(Value(stringLiteral: value))
  }
}

extension GraphQL.Input: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Value.IntegerLiteralType) {
    self = .value(Value(integerLiteral: value))
  }
}

extension GraphQL.Input: ExpressibleByFloatLiteral where Value: ExpressibleByFloatLiteral {
  public init(floatLiteral value: Value.FloatLiteralType) {
    self = .value(Value(floatLiteral: value))
  }
}

extension GraphQL.Input: ExpressibleByBooleanLiteral where Value: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Value.BooleanLiteralType) {
    self = .value(Value(booleanLiteral: value))
  }
}

extension GraphQL.Input: ExpressibleByArrayLiteral
where Value: RangeReplaceableCollection & ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Value.Element...) {
    self = .value(Value(elements))
  }
}
