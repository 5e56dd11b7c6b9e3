import GraphQLRuntime

extension Graph {
  /// Compares items of any type as far as that is possible.
  enum ItemComparison {
    /// Distinguishes an item from others of its list: the key of an object of a builder, or the `id` of an
    /// identifiable value.
    static func identity(_ item: some Sendable) -> AnyHashable? {
      if let object = item as? GraphQL.AbstractResponse {
        return (try? object._entityKey()).map { AnyHashable($0) }
      }
      guard let value = item as? any Identifiable else { return nil }
      return id(value)
    }

    /// Whether two lists of items are known to have the same content.
    static func areSame<Item: Sendable>(_ left: [Item], _ right: [Item]) -> Bool {
      left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
    }

    private static func id(_ item: some Identifiable) -> AnyHashable { AnyHashable(item.id) }

    private static func isSame(_ left: some Sendable, _ right: some Sendable) -> Bool {
      guard let left = left as? any Equatable else { return false }
      return isEqual(left, right)
    }

    private static func isEqual<Value: Equatable>(_ left: Value, _ right: some Sendable) -> Bool {
      left == (right as? Value)
    }
  }
}
