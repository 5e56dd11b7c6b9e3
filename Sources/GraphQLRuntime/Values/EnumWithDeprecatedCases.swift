extension GraphQL {
  /// An enum of which at least one case is deprecated.
  ///
  /// Swift synthesises no `allCases` for such an enum. Generated code lists the cases in a
  /// deprecated member instead, which may name deprecated cases without a warning. Reading it here
  /// as a requirement causes no warning either.
  public protocol EnumWithDeprecatedCases: Enum {
    /// All cases in order, `unknownValue` last.
    static var _cases: [Self] { get }
  }
}

extension GraphQL.EnumWithDeprecatedCases {
  /// All cases, including deprecated ones.
  public static var allCases: [Self] { _cases }
}
