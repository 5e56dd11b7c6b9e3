import GraphJSON
import GraphQLRuntime

/// A scalar of the schema. The library reads it on any thread, so it is not isolated to the main actor.
nonisolated struct Money: GraphQL.Scalar {
  var cents: Int32

  init(cents: Int32) { self.cents = cents }

  init(scalar: GraphQL.JSON) throws {
    guard case .number(let number) = scalar, let cents = number.int32 else {
      throw GraphQL.ScalarMismatch(expected: "an amount in cents")
    }
    self.cents = cents
  }

  var scalar: GraphQL.JSON { .number(GraphQL.JSON.Number(cents)) }
  static var placeholder: Money { Money(cents: 0) }
}
