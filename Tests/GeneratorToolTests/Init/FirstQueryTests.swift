import Foundation
import GraphQLCodeGen
import GraphQLSchema
import TestSupport
import Testing

@testable import graphql_generator

/// The query of a first program: the field that it requests, and its text.
@Suite struct FirstQueryTests {
  private func best(_ sdl: String) throws -> FirstQuery {
    FirstQuery.best(for: try GeneratorPipeline().plan(ServiceSchema(sdl: sdl)))
  }

  @Test(arguments: [
    ("type Query { a: Int b: String! }", "b"),
    ("type Query { version: String! shop: Shop } type Shop { id: ID name: String }", "shop.name"),
    ("type Query { a: A! @deprecated b: A } type A { c: Int }", "b.c"),
    ("type Query { a: A! b: A } type A { c(d: Int!): Int e(f: Int): Int }", "a.e"),
    (
      "type Query { a(b: Int!): Int c(d: A!): B! } input A { e: Int } type B { f: Int }",
      "__typename"
    ),
    ("type Query { a(b: Int! = 3): Int }", "a"),
    ("type Query { a(id: ID): A! list(id: ID): [A] } type A { b: Int }", "list.b"),
    ("type Query { _a: A! version: Int } type A { name: String! }", "version"),
    ("type Query { a: [U] } union U = V type V { b: Int }", "a.__typename"),
    ("type Query { me: Query! a: A } type A { a: A! b: B! } type B { a: A! b: Int }", "a.b.b"),
    ("type Query { a: A } type A { a: A! }", "a.__typename"),
    (
      """
      type Query { things(first: Int!, after: String): ThingPage! }
      type ThingPage { page: String! total: Int! pageInfo: PageInfo! nodes: [Thing] }
      type PageInfo { cursor: String! } type Thing { id: ID! }
      """, "things.nodes.id"
    ),
    (
      "interface I { name: String! } type A implements I { name: String! } type Query { i: I }",
      "i.name"
    ),
    (
      "type Query { data: JSON thing: T } type T { data: JSON state: State } enum State { A } scalar JSON",
      "thing.state"
    ),
  ])
  func selectsBestField(sdl: String, path: String) throws {
    #expect(try best(sdl).path == path)
  }

  /// Paths that are long, and types that refer to each other.
  @Test func fieldSearchTerminatesForCyclicTypes() throws {
    let types = (0..<200).map { "type T\($0) { a: T\(($0 + 1) % 200)! b: T\(($0 + 7) % 200) }" }
    let sdl = "type Query { t: T0 } " + types.joined(separator: "\n")
    #expect(try best(sdl).path == "t.__typename")
  }

  @Test(arguments: [
    ("a: Int!", "print(root.a)"),
    ("a: Int", #"print("\(root.a, default: "null")")"#),
    ("a: [Int!]", #"print("\(root.a, default: "null")")"#),
    ("a: O!", "print(root.a.b)"),
    ("a: O", #"print("\(root.a?.b, default: "null")")"#),
    ("a: [O!]!", "print(root.a.prefix(3).map { $0.b })"),
    ("a: [O!]", "print(root.a?.prefix(3).map { $0.b } ?? [])"),
    ("a: [O]!", "print(root.a.prefix(3).compactMap { $0?.b })"),
    ("a(first: Int): [O!]!", "print(root.a.map { $0.b })"),
    ("a: [[O!]!]!", "print(root.a.prefix(3).flatMap { $0.prefix(3).map { $0.b } })"),
    (
      "a: [[O]]",
      "print(root.a?.prefix(3).flatMap { $0?.prefix(3).compactMap { $0?.b } ?? [] } ?? [])"
    ),
    ("a: P", "print(root.a?.nodes?.prefix(3).compactMap { $0?.b } ?? [])"),
    ("a(limit: Int): P!", "print(root.a.nodes?.compactMap { $0?.b } ?? [])"),
  ])
  func printsSelectedValue(field: String, statement: String) throws {
    let query = try best("type Query { \(field) } type O { b: Int! } type P { nodes: [O] }")
    #expect(query.printing("root") == statement)
    #expect(query.mayBeNull == (statement.contains("default") || statement.contains("?")))
  }

  @Test func queryHasOneLinePerField() throws {
    let query = try best(
      "type Query { default(first: Int!): [O!]! } type O { init: String_! } type String_ { self: Int! }"
    )
    #expect(
      query.building("query") == """
        let query = API.buildQuery {
          $0.`default`(first: 3) {
            $0.init_ {
              $0.self_()
            }
          }
        }
        """)
    #expect(query.printing("root") == "print(root.`default`.map { $0.init_.self_ })")
  }

  /// The names of members of the base classes, which are as good as others in a schema.
  private static let members = """
    __typename addField any answer bool child customMirror debugDescription description directive \
    document double field fieldName fields fragment handle has hash hashValue id include init int \
    isSensitive isStoredByNames link links list name null object operation operationKind rawText \
    read records response rootFields schema self skip spread string text type value
    """.split(separator: " ").dropFirst()

  /// Every member as a leaf of the root and of a list, and as an object.
  private static var schemaOfMembers: String {
    let leaves = members.map { "\($0): String!" }
    let types = members.map {
      "type L\($0) { \($0): String! } type O\($0) { \($0): Thing! }"
    }
    let fields = members.map {
      "l\($0): [L\($0)!]! o\($0): O\($0)! a\($0): L\($0) n\($0): [[L\($0)]!]!"
    }
    return """
      type Query { \((leaves + fields).joined(separator: "\n")) }
      type Thing { text: String! }
      \(types.joined(separator: "\n"))
      """
  }

  @Test(
    .enabled(
      if: GeneratedCodeCheck.isPossible, "the runtime has not been built for debugging in .build"))
  func everyQueryCompiles() async throws {
    var sources = [Source(name: "members", text: Self.schemaOfMembers)]
    for name in ["Reference/schema", "Schemas/names", "Schemas/snakeCase", "Schemas/tolerated"] {
      let path = GeneratedCodeCheck.package.appending(
        path: "Tests/GraphQLCodeGenTests/\(name).graphql")
      sources.append(Source(name: name, bytes: Array(try Data(contentsOf: path))))
    }
    var count = 0
    for source in sources {
      let output = try GeneratorPipeline(configuration: Configuration(naming: .asWritten)).run(
        ServiceSchema(sources: [source]))
      let queries = FirstQuery.all(for: output.plan)
      let files =
        output.files.map { ($0.name, $0.contents) } + [("Queries.swift", Self.program(queries))]
      #expect(try await GeneratedCodeCheck.complaints(about: files) == "")
      count += queries.count
    }
    #expect(count > 300)
  }

  /// A function for each query. Deprecated fields may be the only ones of a type.
  private static func program(_ queries: [FirstQuery]) -> String {
    let functions = queries.enumerated().map { number, query in
      """
      @available(*, deprecated)
      func query\(number)() {
        \(query.building("query"))
        let root = response(query)
        \(query.printing("root"))
      }
      """
    }
    let response = """
      import GraphQLRuntime

      func response<Query: GraphQL.QueryBuilder>(_ query: Query) -> Query.Response { fatalError() }

      """
    return response + functions.joined(separator: "\n")
  }
}
