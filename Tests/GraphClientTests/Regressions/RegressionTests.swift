import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphClient

/// Defects of the Buy SDK, from which users migrate: none of them may occur here.
struct RegressionTests {
  @Test func errorsAreKeptWhenDataIsNull() async throws {
    let client = Graph.Client.test(
      ScriptedTransport(.json(#"{"data":null,"errors":[{"message":"no shop"}]}"#)))
    let response = try await client.query(shopQuery())
    #expect(response.data == nil && response.errors.map(\.message) == ["no shop"])
    let error = try #require(response.error)
    #expect(error.code == .responseErrors && error.errors.map(\.message) == ["no shop"])
  }

  @Test func mutationResponsesAreNotWrittenToDisk() async throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("mutation-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let client = Graph.Client.test(
      ScriptedTransport(.json(#"{"data":{"rename":{"name":"B"}}}"#)), cachePolicy: .cacheFirst
    ) { $0.storage = Graph.DiskStorage(directory: directory) }
    _ = try await client.mutate(renameMutation())
    _ = try await client.mutate(renameMutation(), idempotencyKey: "k")
    #expect(!FileManager.default.fileExists(atPath: directory.path))
  }

  @Test func responsesWithErrorsAreNotCached() async throws {
    let transport = ScriptedTransport(
      .json(#"{"data":{"shop":{"name":"half"}},"errors":[{"message":"e"}]}"#), .shop)
    let client = Graph.Client.test(transport, cachePolicy: .cacheFirst)
    #expect(try await client.query(shopQuery()).data?.shop.name == "half")
    #expect(try await client.query(shopQuery()).data?.shop.name == "Shoes")
  }

  @Test func cacheKeyContainsTheLanguage() async throws {
    let storage = Graph.MemoryStorage()
    let transport = ScriptedTransport { request in
      .json(#"{"data":{"shop":{"name":"\#(request.headers["Accept-Language"] ?? "")"}}}"#)
    }
    for language in ["de", "fr", "de"] {
      let client = Graph.Client.test(transport, cachePolicy: .cacheFirst) {
        $0.storage = storage
        $0.language = language
      }
      #expect(try await client.query(shopQuery()).data?.shop.name == language)
    }
    #expect(transport.requests.count == 2)
  }

  @Test func purgeEmptiesTheCache() async throws {
    let client = Graph.Client.test(ScriptedTransport(.shop), cachePolicy: .cacheFirst)
    _ = try await client.query(shopQuery())
    try await client.purge()
    await #expect(throws: Graph.QueryError.self) {
      try await client.query(shopQuery(), cachePolicy: .cacheOnly)
    }
  }

  @Test func errorLocationsAreParsed() async throws {
    let client = Graph.Client.test(
      ScriptedTransport(
        .json(#"{"errors":[{"message":"e","locations":[{"line":3,"column":14}]}]}"#)))
    let location = try #require(
      try await client.query(shopQuery()).errors.first?.locations.first)
    #expect(location.line == 3 && location.column == 14)
  }

  @Test func cacheOnlyMissThrows() async throws {
    let client = Graph.Client.test(ScriptedTransport(.shop))
    let error = await #expect(throws: Graph.QueryError.self) {
      try await client.query(shopQuery(), cachePolicy: .cacheOnly)
    }
    #expect(error?.code == .cacheMiss)
  }

  @Test func mergedSelectionsProduceAStableDocument() throws {
    let query = {
      Store.buildQuery { root in
        for field in ["b", "a", "c"] { root.shop(alias: field) { $0.name().id() } }
        root.shop { $0.name() }.shop { $0.id().name() }
      }
    }
    let documents = try Set((0..<50).map { _ in try query().operation().document })
    #expect(documents.count == 1)
  }

  @Test(arguments: [
    #"{"employees":4294967296}"#, #"{"employees":1.5}"#, #"{"employees":"7"}"#,
    #"{"opened":"yesterday"}"#, #"{"opened":"2026-02-30T00:00:00Z"}"#, #"{"opened":7}"#,
    #"{"site":"not a url"}"#, #"{"site":""}"#, #"{"site":{}}"#,
  ])
  func invalidIntegersDatesAndURLsThrow(shop: String) async throws {
    let client = Graph.Client.test(ScriptedTransport(.json(#"{"data":{"shop":\#(shop)}}"#)))
    let query = Store.buildQuery { root in
      root.shop { selection in
        if shop.contains("employees") { selection.employees() }
        if shop.contains("opened") { selection.opened() }
        if shop.contains("site") { selection.site() }
      }
    }
    let error = await #expect(throws: Graph.QueryError.self) { try await client.query(query) }
    #expect(error?.code == .schemaViolation)
    #expect((error?.cause as? GraphQL.SchemaViolation)?.description.contains("shop.") == true)
  }

  @Test func unknownEnumValuesKeepTheirText() async throws {
    let client = Graph.Client.test(
      ScriptedTransport(.json(#"{"data":{"shop":{"color":"TEAL"}}}"#)))
    let shop = try await client.query(Store.buildQuery { $0.shop { $0.color() } })
      .requireData().shop
    #expect(shop.color == .unknownValue("TEAL"))
  }

  @Test func fieldNamesMayContainDoubleUnderscores() async throws {
    let client = Graph.Client.test(
      ScriptedTransport(.json(#"{"data":{"shop":{"legacy__id":"7"}}}"#)))
    let response = try await client.query(Store.buildQuery { $0.shop { $0.legacy__id() } })
    #expect(response.data?.shop.legacy__id == "7")
  }

  @Test func argumentNamesMayBeSwiftKeywords() async throws {
    let transport = ScriptedTransport(.json(#"{"data":{"shop":{"tags":["x"]}}}"#))
    _ = try await Graph.Client.test(transport)
      .query(Store.buildQuery { $0.shop { $0.tags(in: "de") } })
    let body = try #require(transport.bodies.first)
    #expect(body["query"]?.description.contains("tags(in:") == true)
    #expect(body["variables"]?.description.contains("de") == true)
  }

  @Test func explicitNullArgumentsAreSent() async throws {
    let transport = ScriptedTransport(.json(#"{"data":{"shop":{"tags":["x"]}}}"#))
    let client = Graph.Client.test(transport)
    _ = try await client.query(Store.buildQuery { $0.shop { $0.null("in").tags(first: 1) } })
    _ = try await client.query(Store.buildQuery { $0.shop { $0.tags(first: 1) } })
    func text(_ index: Int) -> String { transport.bodies[index].description }
    #expect(text(0).contains("null") && text(0).contains("in:"))
    #expect(!text(1).contains("in:"))
  }
}
