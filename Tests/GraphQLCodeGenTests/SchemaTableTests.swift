import GraphQLCodeGen
import Testing

@Suite struct SchemaTableTests {
  @Test func tableListsEveryKindOfDefinition() throws {
    let module = try Generation(
      """
      schema { query: QueryRoot subscription: Sub }
      directive @inContext(country: CountryCode = CA, language: String!) on QUERY
      directive @trace on FIELD
      directive @internal on OBJECT
      type QueryRoot { node(id: ID!): Node search(first: Int! = 1 sort: [Sort!] = []): [Result!]! }
      type Sub { a: Int }
      interface Node { id: ID! }
      interface Named implements Node { id: ID! name: String }
      type Product implements Node & Named { id: ID! name: String price: Money }
      union Result = Sub | Product
      enum CountryCode { CA }
      enum Sort { A }
      input CartInput { note: String count: Int! = 1 ref: Ref! }
      input Ref @oneOf { id: ID name: String }
      scalar Money
      """)
    #expect(
      module.table == [
        ">QueryRoot - Sub",
        "<CartInput", "note String", "count Int!=", "ref Ref!",
        "=CountryCode",
        "$Money",
        "&Named Node", "id ID!", "name String",
        "&Node", "id ID!",
        "@Product Named Node key:id", "id ID!", "name String", "price Money",
        "@QueryRoot", "node(id:ID!) Node", "search(first:Int!= sort:[Sort!]=) [Result!]!",
        "<!Ref", "id ID", "name String",
        "|Result Product Sub",
        "=Sort",
        "@Sub", "a Int",
        "%inContext(country:CountryCode= language:String!)",
        "%trace",
      ])
  }

  /// https://ibm.github.io/graphql-specs/cost-spec.html
  @Test func tableListsStatedCosts() throws {
    let module = try Generation(
      """
      directive @cost(weight: String!) on
        ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
      directive @listSize(
        assumedSize: Int, slicingArguments: [String!], sizedFields: [String!],
        requireOneSlicingArgument: Boolean = true, slicingArgumentDefaultValue: Int
      ) on FIELD_DEFINITION
      directive @approx(tolerance: Float! @cost(weight: "-1.0")) on FIELD
      type Query {
        a(filter: Filter @cost(weight: "15.0"), plain: Int): [String]
          @cost(weight: "5.5") @listSize(assumedSize: 10)
        films(first: Int = 10, last: Int): Films
          @listSize(slicingArguments: ["first", "last"], sizedFields: "edges")
        odd: Int @cost(weight: "a + b")
        paged(first: Int): [Int]
          @listSize(assumedSize: 50, slicingArguments: ["first"], slicingArgumentDefaultValue: 10)
      }
      type Films @cost(weight: "2") { edges: [Int] }
      input Filter { approx: Boolean @cost(weight: "-12.0") }
      enum Kind @cost(weight: "1e-3") { A }
      """)
    #expect(
      module.table.filter { $0.hasPrefix("*") } == [
        "*Films 2", "*Filter.approx -12", "*Kind 0.001", "*Query.a 5.5 size:10",
        "*Query.a(filter:) 15", "*Query.films by:first=10,last of:edges",
        "*Query.paged by:first size:10", "*@approx(tolerance:) -1",
      ])
  }

  @Test func classesFollowTableOrder() throws {
    let module = try Generation(
      "type B { a: Int } interface A { a: Int } union C = B type Query { a: Int }")
    #expect(
      module.declaration("public static let schema") == """
        /// The types of the schema, and their generated classes.
        public static let schema = _schema()
        """)
    #expect(
      module.declaration("private static func _schema()") == """
        private static func _schema() -> GraphQL.SchemaTable {
          GraphQL.SchemaTable(
            name: "Shop",
            table: \"""
              >Query - -
              &A
              a Int
              @B
              a Int
              |C B
              @Query
              a Int
              \""",
            queries: [
              AQuery.self,
              BQuery.self,
              CQuery.self,
              QueryQuery.self,
            ],
            responses: [
              UnknownA.self,
              B.self,
              UnknownC.self,
              Query.self,
            ],
            scalars: [])
        }
        """)
  }

  @Test func policiesBecomeTypeAttributes() throws {
    let policy = TypePolicy(
      key: ["shop", "id"], policy: .sensitive, maxAge: 60, version: "rev",
      delete: ["es": .cascade, "c": .cascade, "d": .deny, "e": .noAction, "a": .nullify],
      referrers: .delete,
      lists: ["b": .append, "a": .append, "c": .replaceDeletingOld, "d": .replace],
      queryable: ["shop", "e.c"], inverses: ["e": "a", "es": "a"],
      supportedOperations: ["Save", "Create"])
    let configuration = Configuration(
      types: ["A": Located(policy), "B": Located(TypePolicy(key: []))])
    let module = try Generation(
      """
      type A { id: ID! shop: String! rev: Int! a: [C] b: [C!]! c: [C] d: [C] e: B es: [B!]! }
      type B { id: ID! c: Int a: A }
      type C { id: ID! }
      type D { id: ID }
      """, configuration: configuration)
    #expect(
      module.table.filter { $0.hasPrefix("@") } == [
        "@A key:shop,id policy:sensitive maxAge:60 version:rev cascade:c,es deny:d noAction:e "
          + "referrers:delete append:a,b "
          + "deleteOld:c queryable:shop,e.c inverses:e=a,es=a operations:Save,Create",
        "@B", "@C key:id", "@D", "@Query",
      ])
  }

  /// It does not apply to roots, nor to objects without identity, which are part of the object that
  /// leads to them.
  @Test func defaultPolicyAppliesToTypesWithoutPolicy() throws {
    let configuration = Configuration(
      types: [
        "*": Located(TypePolicy(policy: .transient, maxAge: 5)),
        "A": Located(TypePolicy(policy: .persistent)),
      ])
    let module = try Generation(
      """
      type A { id: ID! part: Part }
      type B { id: ID! }
      type Part { name: String }
      type Query { id: ID! a: A b: B }
      """, configuration: configuration)
    #expect(
      module.table.filter { $0.hasPrefix("@") } == [
        "@A key:id policy:persistent", "@B key:id policy:transient maxAge:5", "@Part",
        "@Query key:id",
      ])
  }
}
