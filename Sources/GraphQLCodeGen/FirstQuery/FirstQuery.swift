/// A query for a first program: one path of fields, from the root type of queries to a value that can be
/// printed. It needs no argument that only the user knows.
package struct FirstQuery: Equatable, Sendable {
  let namespace: String
  /// The fields from the root on.
  package let fields: [FieldPlan]
  /// Whether the path ends with the name of the last field's type, because that type has no leaf.
  package let endsWithTypename: Bool
  /// How far it is from a good example, for comparisons.
  let cost: Int

  /// The best query for a module. Every schema has one, since every object has a `__typename`.
  package static func best(for plan: GenerationPlan) -> FirstQuery {
    let finder = FirstQueryFinder(plan)
    // The first of the best, in the order of the schema.
    return finder.queries.min { $0.cost < $1.cost } ?? finder.typename
  }

  /// The best query for each field of the root type that can be selected, and that for its name.
  package static func all(for plan: GenerationPlan) -> [FirstQuery] {
    let finder = FirstQueryFinder(plan)
    return finder.queries + [finder.typename]
  }

  /// The fields as a path, to show it: `shop.name`.
  package var path: String {
    (fields.map(\.schemaName) + (endsWithTypename ? [Self.typename] : [])).joined(separator: ".")
  }

  /// The meta field that each composite type has (section 4.1).
  static let typename = "__typename"
}
