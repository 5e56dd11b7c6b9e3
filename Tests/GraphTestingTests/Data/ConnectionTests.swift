import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting
import Testing

struct ConnectionTests {
  private let endpoint: MockEndpoint

  init() throws {
    endpoint = try MockEndpoint(
      schema: Shop.schema, options: MockOptions(connectionLength: 10))
  }

  private static let selection = """
    { nodes { id } edges { cursor node { id } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }
    """

  private func page(_ arguments: String) async throws -> JSON {
    let data = try await endpoint.data("{ products\(arguments) \(Self.selection) }")
    return try #require(data.at("products"))
  }

  @Test func forwardPagingReturnsEveryElementOnce() async throws {
    let all = try await page("")
    #expect(all.at("nodes")?.count == 10)
    var collected: [JSON] = []
    var after = ""
    while true {
      let page = try await page("(first: 3\(after))")
      guard case .array(let nodes)? = page["nodes"] else { break }
      collected += nodes
      guard page.at("pageInfo.hasNextPage") == true else { break }
      after = ", after: \(try #require(page.at("pageInfo.endCursor")))"
    }
    #expect(.array(collected) == all["nodes"])
  }

  @Test func backwardPagingReturnsThePrecedingElements() async throws {
    let all = try await page("")
    let last = try await page("(last: 4)")
    #expect(last.at("nodes[0]") == all.at("nodes[6]"))
    #expect(last.at("pageInfo.hasNextPage") == false)
    #expect(last.at("pageInfo.hasPreviousPage") == true)
    let before = try #require(last.at("pageInfo.startCursor"))
    let previous = try await page("(last: 4, before: \(before))")
    #expect(previous.at("nodes[3]") == all.at("nodes[5]"))
    #expect(previous.at("pageInfo.hasNextPage") == true)
  }

  @Test func edgesAndNodesAgree() async throws {
    let page = try await page("(first: 4, after: \"cursor-1\")")
    for index in 0..<4 {
      #expect(page.at("nodes[\(index)]") == page.at("edges[\(index)].node"))
    }
    #expect(page.at("edges[0].cursor") == page.at("pageInfo.startCursor"))
    #expect(page.at("edges[3].cursor") == page.at("pageInfo.endCursor"))
  }

  @Test func anEmptyPageHasNoCursors() async throws {
    let page = try await page("(first: 3, after: \"cursor-9\")")
    #expect(page.at("nodes")?.count == 0)
    #expect(page.at("pageInfo.endCursor") == .null)
    #expect(page.at("pageInfo.hasNextPage") == false)
    #expect(page.at("pageInfo.hasPreviousPage") == true)
  }

  @Test(arguments: [
    "first: -1", "last: -2147483648", "after: \"x\"", "before: \"cursor--1\"",
    "after: \"cursor-99999999999999999999\"",
  ])
  func rejectsInvalidPageArguments(_ argument: String) async throws {
    let response = try await endpoint.json("{ products(\(argument)) { nodes { id } } }")
    #expect(response.at("errors[0].path") == ["products"])
    #expect(response["data"] == .null)
  }

  @Test(arguments: ["first: 2147483647", "last: 2147483647", "first: 0", "after: \"cursor-500\""])
  func acceptsExtremePageArguments(_ argument: String) async throws {
    let response = try await endpoint.json("{ products(\(argument)) { nodes { id } } }")
    #expect(response["errors"] == nil)
  }
}
