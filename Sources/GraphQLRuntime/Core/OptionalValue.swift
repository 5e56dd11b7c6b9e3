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
