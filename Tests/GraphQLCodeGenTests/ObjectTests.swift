import Testing

@Suite struct ObjectTests {
  let module: Generation

  init() throws {
    module = try Generation(
      """
      type Product {
        id: ID!
        title: String!
        vendor: String
        stock: Int!
        sold: Int
        weight: Float!
        height: Float
        isNew: Boolean!
        isRare: Boolean
        sku: ID
        image: Image
        cover: Image!
        images: [Image!]!
        gaps: [Image]
        grid: [[Image!]!]!
        tags: [String!]!
        notes: [String]
        matrix: [[Float!]!]
      }
      type Image { url: String! }
      """)
  }

  @Test func queryClassSelectsFields() {
    #expect(
      module.declaration("public final class ImageQuery") == """
        public final class ImageQuery: _Query {
          @discardableResult
          public func url(alias: String? = nil) -> ImageQuery {
            _field(0, alias)
            return self
          }
        }
        """)
  }

  @Test func compositeFieldTakesSubfields() {
    #expect(
      module.declaration("public func images") == """
        @discardableResult
        public func images(alias: String? = nil, _ subfields: (ImageQuery) -> Void) -> ProductQuery {
          _child(12, alias, subfields)
          return self
        }
        """)
  }

  @Test func responseClassHasAccessorsForEveryFieldType() {
    #expect(
      module.declaration("public final class Product:") == """
        public final class Product: _Response, Identifiable, @unchecked Sendable {
          public var id: GraphQL.ID { _id("id") }

          public var title: String { _string("title") }

          public var vendor: String? { _stringOpt("vendor") }

          public var stock: Int { _int("stock") }

          public var sold: Int? { _intOpt("sold") }

          public var weight: Double { _double("weight") }

          public var height: Double? { _doubleOpt("height") }

          public var isNew: Bool { _bool("isNew") }

          public var isRare: Bool? { _boolOpt("isRare") }

          public var sku: GraphQL.ID? { _idOpt("sku") }

          public var image: Image? { _oneOpt("image") }

          public var cover: Image { _one("cover") }

          public var images: [Image] { _list("images") }

          public var gaps: [Image?]? { _value("gaps") }

          public var grid: [[Image]] { _value("grid") }

          public var tags: [String] { _value("tags") }

          public var notes: [String?]? { _value("notes") }

          public var matrix: [[Double]]? { _value("matrix") }
        }
        """)
  }

  @Test func generatesBuildFunctionsForRootTypes() throws {
    let module = try Generation(
      """
      type Query { a: Int }
      type Mutation { a: Int }
      type Subscription { a: Int }
      """)
    #expect(
      module.declaration("public static func buildMutation") == """
        /// Builds a mutation.
        ///
        /// - Parameter name: The name of the operation.
        /// - Parameter directives: Directives of the operation.
        /// - Parameter subfields: Selects the fields of the root.
        public static func buildMutation(
          named name: String? = nil,
          directives: [GraphQL.Directive<Shop>] = [],
          _ subfields: (MutationQuery) -> Void
        ) -> MutationQuery {
          let query = MutationQuery()
          query._begin(name, directives)
          subfields(query)
          query._end()
          return query
        }
        """)
    #expect(
      module.declaration("nonisolated extension Shop.SubscriptionQuery") == """
        nonisolated extension Shop.SubscriptionQuery: GraphQL.SubscriptionBuilder {
          public typealias Response = Shop.Subscription
        }
        """)
    #expect(
      module.declaration("nonisolated extension Shop.QueryQuery: GraphQL.QueryBuilder") != nil)
  }

  @Test func omitsBuildFunctionsForMissingRootTypes() {
    #expect(!module.text.contains("buildMutation"))
    #expect(!module.text.contains("SubscriptionBuilder"))
  }
}
