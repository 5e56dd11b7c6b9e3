import GraphQLRuntime
import GraphRateLimits
import Testing

@testable import GraphClient

/// The examples of the services and of the specification, with the costs that they state.
struct CostRulesTests {
  private func cost(
    _ document: String, _ variables: String = "{}", _ rules: Graph.CostRules,
    _ schema: GraphQL.SchemaTable
  ) -> Double? {
    // The runtime and the generator write no shorthand.
    let document = document.hasPrefix("{") ? "query \(document)" : document
    return rules.plan(for: document, in: schema)?.cost(Array(variables.utf8))
  }

  @Test(arguments: [
    ("{ shop { id name } }", "{}", 1.0),
    (
      "query V($id: ID!) { product(id: $id) { variants(first: 250) { nodes { item { id } } } } }",
      #"{"id":"1"}"#, 503
    ),
    (
      """
      { products(first: 10) { edges { node { title variants(first: 5) { edges { node { id } } } } } } }
      """, "{}", 82
    ),
    ("{ products(first: 3) { pageInfo { hasNextPage } } }", "{}", 2),
    ("{ products(last: 3) { pageInfo { hasNextPage } nodes { id } } }", "{}", 5),
    ("{ a: shop { id } b: shop { id } }", "{}", 2),
    ("{ shop { id } shop { name } ...S } fragment S on QueryRoot { shop { id } }", "{}", 1),
    ("mutation { rename { product { id } } }", "{}", 11),
    ("mutation { a: rename { ok } b: rename { ok } }", "{}", 20),
    // The most costly of the possible types counts.
    ("{ node { id } }", "{}", 1),
    (
      "{ node { ... on Product { item { id } } ... on Shop { owner { id } main { id } } } }", "{}",
      3
    ),
    ("{ node { ...P } } fragment P on Node { ... on Product { item { id } } id }", "{}", 2),
    ("{ search(first: 4) { __typename ... on Product { item { id } } } }", "{}", 8),
    ("{ __typename __schema { types { name } } }", "{}", 0),
  ])
  func shopify(document: String, variables: String, expected: Double) {
    #expect(cost(document, variables, .shopify, shopifyLike) == expected)
  }

  @Test(arguments: [
    (#"{"n":7}"#, 9.0), (#"{"n":0}"#, 2), (#"{"n":-5}"#, 2), (#"{"n":1e300}"#, 1e12),
    (#"{"n":null}"#, 3), (#"{"n":"7"}"#, 3), ("{}", 5), ("[]", 5), ("", 5), (#"{"n":2.5}"#, 4.5),
    (#"{"n":[7]}"#, 3),
  ])
  func theValueOfAVariableCounts(variables: String, expected: Double) {
    let document = "query ($n: Int = 3) { products(first: $n) { nodes { id } } }"
    #expect(cost(document, variables, .shopify, shopifyLike) == expected)
  }

  @Test(arguments: [
    (#"{"a":true,"b":true}"#, 3.0), (#"{"a":false,"b":true}"#, 2), (#"{"a":true,"b":false}"#, 2),
    (#"{"a":false,"b":false}"#, 0), ("{}", 3),
  ])
  func conditionsCount(variables: String, expected: Double) {
    let document = """
      query ($a: Boolean!, $b: Boolean!) {
        shop @include(if: $b) { id ... @skip(if: false) { owner { id } } main @include(if: $a) { id } }
        never: shop @skip(if: true) { id }
        ...S @include(if: $a)
      }
      fragment S on QueryRoot { shop { main { id } } }
      """
    #expect(cost(document, variables, .shopify, shopifyLike) == expected)
  }

  @Test(arguments: [
    (
      """
      { viewer { login repositories(first: 100) { edges { node { id issues(first: 50) { edges { node { id
        labels(first: 60) { edges { node { id } } } } } } } } } } }
      """, 51.0
    ),
    (
      """
      { viewer { repositories(first: 50) { edges { repository: node { name
        pullRequests(first: 20) { edges { pullRequest: node { title
          comments(first: 10) { edges { comment: node { bodyHTML } } } } } } } } } } }
      """, 11
    ),
    (
      """
      { viewer {
        repositories(first: 50) { edges { repository: node { name
          pullRequests(first: 20) { edges { node { comments(first: 10) { edges { node { bodyHTML } } } } } }
          issues(first: 20) { totalCount edges { node { comments(first: 10) { edges { node { bodyHTML } } } } } }
        } } }
        followers(first: 10) { edges { node { login } } }
      } }
      """, 21
    ),
    ("{ viewer { login } }", 1),
  ])
  func gitHub(document: String, expected: Double) {
    #expect(cost(document, .gitHub, gitHubLike) == expected)
  }

  private func cost(
    _ document: String, _ rules: Graph.CostRules, _ schema: GraphQL.SchemaTable
  ) -> Double? {
    cost(document, "{}", rules, schema)
  }

  @Test(arguments: [
    // Examples 1 and 2 of the specification.
    ("query Example { users(max: 5) { age } }", 11.0, 6.0),
    // Examples 10 to 13.
    ("{ topProducts }", 5, 1), ("{ topProducts(filter: {}) }", 20, 1),
    ("{ topProducts(filter: {approx: true}) }", 8, 1),
    ("{ mostPopularProduct { name } }", 5, 2),
    ("{ mostPopularProduct(approx: true) { name } }", 2, 2),
    ("{ mostPopularProduct @approx(tolerance: 0.5) { name } }", 4, 2),
    // The weight of a field is never below zero.
    ("{ cheap(approx: true) { name } }", 0, 2),
    // Example 18: the size is that of the edges.
    ("{ films(first: 5) { edges { node { title } } } }", 7, 12),
    ("{ films(first: 5, last: 8) { edges { cursor } } }", 2, 10),
    // Without a slicing argument, its default counts, or else the assumed size.
    ("{ films { edges { node { title } } } }", 12, 22),
    ("{ assumed { age } }", 15, 8), ("{ assumed(first: 2) { age } }", 5, 3),
    // Interfaces: the highest weight of a member.
    ("{ named { name } }", 4, 4), ("{ named { ... on User { age } } }", 3, 4),
    // Hot Chocolate's examples, whose asynchronous resolvers weigh ten.
    ("query ($first: Int) { books(first: $first) { nodes { title } } }", 11, 52),
    ("{ books { pageInfo { hasNextPage endCursor } } }", 11, 3),
    ("{ kind }", 0, 2.5), ("{ nested(by: {page: {first: 3}}) { age } }", 9, 4),
  ])
  func directives(document: String, fields: Double, types: Double) {
    #expect(cost(document, .fieldCost, specified) == fields)
    #expect(cost(document, .typeCost, specified) == types)
  }

  @Test func inputFieldsOfVariablesCount() {
    let document = "query ($f: Filter) { topProducts(filter: $f) }"
    #expect(cost(document, #"{"f":{"approx":true}}"#, .fieldCost, specified) == 8)
    #expect(cost(document, #"{"f":{}}"#, .fieldCost, specified) == 20)
    #expect(cost(document, .fieldCost, specified) == 5)
  }
}

private func table(
  _ name: String, _ table: StaticString, _ count: Int
) -> GraphQL.SchemaTable {
  GraphQL.SchemaTable(
    name: name, table: table, queries: Array(repeating: GraphQL.AbstractQuery.self, count: count),
    responses: Array(repeating: GraphQL.AbstractResponse.self, count: count), scalars: [])
}

/// Types as those of Shopify.
private let shopifyLike = table(
  "ShopifyLike",
  """
  >QueryRoot Mutation -
  @Item
  id ID!
  @Mutation
  rename RenamePayload
  &Node
  id ID!
  @PageInfo
  hasNextPage Boolean!
  @Product Node
  id ID!
  item Item
  title String!
  variants(first:Int last:Int) VariantConnection!
  @ProductConnection
  edges [ProductEdge!]!
  nodes [Product!]!
  pageInfo PageInfo!
  @ProductEdge
  cursor String!
  node Product!
  @QueryRoot
  node Node
  product(id:ID!) Product
  products(first:Int last:Int) ProductConnection!
  search(first:Int) [Result!]!
  shop Shop!
  @RenamePayload
  ok Boolean
  product Product
  |Result Product Shop
  @Shop Node
  id ID!
  main Item
  name String!
  owner Item
  @Variant
  id ID!
  item Item
  @VariantConnection
  edges [VariantEdge!]!
  nodes [Variant!]!
  @VariantEdge
  node Variant!
  """, 14)

/// Types as those of GitHub.
private let gitHubLike = table(
  "GitHubLike",
  """
  >Query - -
  @Comment
  bodyHTML String
  id ID!
  @CommentConnection
  edges [CommentEdge]
  @CommentEdge
  node Comment
  @Issue
  comments(first:Int last:Int) CommentConnection!
  id ID!
  labels(first:Int last:Int) CommentConnection
  title String
  @IssueConnection
  edges [IssueEdge]
  totalCount Int!
  @IssueEdge
  node Issue
  @Query
  viewer User!
  @Repository
  id ID!
  issues(first:Int last:Int) IssueConnection!
  name String!
  pullRequests(first:Int last:Int) IssueConnection!
  @RepositoryConnection
  edges [RepositoryEdge]
  @RepositoryEdge
  node Repository
  @User
  followers(first:Int last:Int) UserConnection!
  login String!
  repositories(first:Int last:Int) RepositoryConnection!
  @UserConnection
  edges [UserEdge]
  @UserEdge
  node User
  """, 13)

/// The examples of the specification of the cost directives.
private let specified = table(
  "Specified",
  """
  >Query - -
  @Book
  title String
  @BookConnection
  nodes [Book]
  pageInfo PageInfo
  <By
  page Page
  @Film
  title String
  @FilmConnection
  edges [FilmEdge]
  @FilmEdge
  cursor ID
  node Film
  <Filter
  approx Boolean
  =Kind
  &Named
  name String
  <Page
  first Int
  @PageInfo
  endCursor String
  hasNextPage Boolean!
  @Product Named
  name String
  @Query
  assumed(first:Int) [User]
  books(first:Int last:Int) BookConnection
  cheap(approx:Boolean) Product
  films(first:Int= last:Int) FilmConnection
  kind Kind
  mostPopularProduct(approx:Boolean) Product
  named Named
  nested(by:By) [User]
  topProducts(filter:Filter) [String]
  users(max:Int) [User]
  @Tool Named
  name String
  @User Named
  age Int
  name String
  %approx(tolerance:Float!)
  *Filter.approx -12
  *Kind 1.5
  *Query.assumed by:first size:7
  *Query.books 10 by:first,last size:50 of:nodes
  *Query.cheap 2
  *Query.cheap(approx:) -3
  *Query.films by:first=10,last of:edges
  *Query.mostPopularProduct 5
  *Query.mostPopularProduct(approx:) -3
  *Query.nested by:by.page.first
  *Query.topProducts 5 size:10
  *Query.topProducts(filter:) 15
  *Query.users by:max
  *Tool 3
  *Tool.name 3
  *User.age 2
  *@approx(tolerance:) -1
  """, 11)
