extension GraphQL {
  /// An object does not have what a fragment or an operation selects.
  public struct FragmentMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the fragment or operation.
    public let fragment: String
    /// The object's type.
    public let typeName: String
    /// The missing fields, and those that are different: `price` is not selected.
    public let problems: [String]

    public var description: String {
      "\(fragment) cannot be read from this \(typeName): \(problems.joined(separator: "; "))"
    }
  }
}
