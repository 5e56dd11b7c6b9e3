extension GraphQL {
  /// An enum of which at least one case is deprecated.
  ///
  /// Swift synthesises no `allCases` for such an enum. Generated code lists the cases in a deprecated
  /// member instead, which may mention deprecated cases without a warning; read here as a
  /// requirement, it causes none either.
  public protocol EnumWithDeprecatedCases: Enum {
    /// All cases in order, `unknownValue` last.
    static var _cases: [Self] { get }
  }
}

extension GraphQL.EnumWithDeprecatedCases {
  /// All cases, deprecated ones included.
  public static var allCases: [Self] { _cases }
}
