extension GraphQL {
  /// Numbers for the Swift types of custom scalars.
  // Safe: the parts of one plan share it, and one thread at a time uses a plan.
  final class ScalarNumbers: @unchecked Sendable {
    private(set) var types: [any Scalar.Type] = []

    func number(of type: any Scalar.Type) -> Int {
      let identifier = ObjectIdentifier(type)
      if let known = types.firstIndex(where: { ObjectIdentifier($0) == identifier }) {
        return known
      }
      types.append(type)
      return types.count - 1
    }
  }
}
