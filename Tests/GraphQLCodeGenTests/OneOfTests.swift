import Testing

@Suite struct OneOfTests {
  @Test func generatesCasePerField() throws {
    let module = try Generation(
      """
      "Names a product."
      input ProductReference @oneOf {
        "By its key."
        id: ID
        handles: [String!]
        default: Int
      }
      """)
    #expect(
      module.declaration("public enum ProductReference") == """
        /// Names a product.
        public enum ProductReference: GraphQL.OneOfInput {
          /// By its key.
          case id(GraphQL.ID)
          case handles([String])
          case `default`(Int)

          public var _field: (name: StaticString, value: any GraphQL.InputValue) {
            switch self {
            case .id(let value): ("id", value)
            case .handles(let value): ("handles", value)
            case .`default`(let value): ("default", value)
            }
          }
        }
        """)
  }

  @Test func recursiveOneOfIsIndirectEnum() throws {
    let module = try Generation("input Filter @oneOf { not: Filter all: [Filter!] name: String }")
    #expect(
      module.declaration("public indirect enum Filter")?.contains("case not(Filter)") == true)
  }

  @Test func deprecatedCasesCauseNoWarning() throws {
    let module = try Generation("input R @oneOf { id: ID, old: ID @deprecated }")
    #expect(
      module.declaration("public enum R:")?.contains(
        """
          @available(*, deprecated, message: "No longer supported")
          case old(GraphQL.ID)

          @available(*, deprecated)
          public var _field: (name: StaticString, value: any GraphQL.InputValue) {
        """) == true)
  }

  @Test func renamesCasesThatConflictWithRequirement() throws {
    let module = try Generation("input R @oneOf { _field: Int init: Int self: Int }")
    let declaration = module.declaration("public enum R:")
    #expect(declaration?.contains("case ._field_(let value): (\"_field\", value)") == true)
    #expect(declaration?.contains("case .init_(let value): (\"init\", value)") == true)
    #expect(declaration?.contains("case .self_(let value): (\"self\", value)") == true)
  }
}
