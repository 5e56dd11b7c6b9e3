import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting
import Testing

struct FaultTests {
  private let query = "{ shop { name description url } products(first: 2) { nodes { id title } } }"

  private func endpoint() throws -> MockEndpoint { try MockEndpoint(schema: Shop.schema) }

  @Test func faultsHappenOnceInTheirOrder() async throws {
    let endpoint = try endpoint()
    endpoint.enqueue(.status(503))
    endpoint.enqueue(.transportError(.init(.cannotConnect, message: "no network")))
    endpoint.enqueue()
    #expect(try await endpoint.send(Shop.request(query)).status == 503)
    let error = await #expect(throws: Graph.TransportError.self) {
      try await endpoint.send(Shop.request(query))
    }
    #expect(error?.code == .cannotConnect)
    #expect(try await endpoint.json(query)["errors"] == nil)
    #expect(try await endpoint.json(query)["errors"] == nil)
    #expect(endpoint.requests.count == 4)
  }

  @Test func faultsMayDependOnTheRequest() async throws {
    let endpoint = try MockEndpoint(schema: Shop.schema) { request in
      request.number % 2 == 0 ? [.tooManyRequests(retryAfter: 3)] : []
    }
    let refused = try await endpoint.send(Shop.request(query))
    #expect(refused.status == 429 && refused.headers["Retry-After"] == "3")
    #expect(try await endpoint.send(Shop.request(query)).status == 200)
  }

  @Test func throttlingErrorReportsTheThrottleStatus() async throws {
    let endpoint = try endpoint()
    endpoint.enqueue(.throttled(requestedCost: 500, available: 100))
    let response = try await endpoint.send(Shop.request(query))
    #expect(response.status == 200)
    let json = try await response.json
    #expect(json["data"] == nil)
    #expect(json.at("errors[0].extensions.code") == "THROTTLED")
    #expect(json.at("extensions.cost.requestedQueryCost") == 500)
    #expect(
      json.at("extensions.cost.throttleStatus")
        == ["maximumAvailable": 1000, "currentlyAvailable": 100, "restoreRate": 50])
  }

  @Test func anErrorAtAPathLeavesPartialData() async throws {
    let endpoint = try endpoint()
    endpoint.enqueue(
      .error(at: "shop.description", "not today", code: "LATER"),
      .error(at: "products.nodes[1].title", "lost"))
    let json = try await endpoint.json(query)
    #expect(json.at("errors[0].message") == "not today")
    #expect(json.at("errors[0].path") == ["shop", "description"])
    #expect(json.at("errors[0].extensions.code") == "LATER")
    #expect(json.at("errors[0].locations[0].line") == 1)
    #expect(json.at("errors[1].path") == ["products", "nodes", 1, "title"])
    // The title is non-null up to the root.
    #expect(json["data"] == .null)

    endpoint.enqueue(.error(at: "shop.description", "not today"))
    let partial = try await endpoint.json(query)
    #expect(partial.at("data.shop.description") == .null)
    #expect(partial.at("data.products.nodes")?.count == 2)
  }

  @Test func errorAtAListElementReturnsNull() async throws {
    let endpoint = try endpoint()
    endpoint.enqueue(.error(at: "nodes[1]", "gone"))
    let json = try await endpoint.json(
      "{ nodes(ids: [\"gid://mock/Shop/1\", \"gid://mock/Shop/2\"]) { id } }")
    #expect(json.at("data.nodes") == [["id": "gid://mock/Shop/1"], nil])
    #expect(json.at("errors[0].path") == ["nodes", 1])
  }

  @Test(arguments: [
    "shp.description", "shop.nothing", "products.nodes[9].id", "shop.name.more", "products.nodes.x",
  ])
  func errorAtAnUnknownPathThrows(_ path: String) async throws {
    let endpoint = try endpoint()
    endpoint.enqueue(.error(at: try #require(ResponsePath(path)), "lost"))
    let error = await #expect(throws: Graph.TransportError.self) {
      try await endpoint.send(Shop.request(query))
    }
    #expect(error?.message.contains("`\(path)`") == true)

    endpoint.enqueue(.error(at: try #require(ResponsePath(path)), "lost"))
    let request = Shop.request(
      ["query": "subscription { orderUpdated(id: \"1\") { name } }"], accept: "text/event-stream")
    var events = try await endpoint.send(request).body.makeAsyncIterator()
    await #expect(throws: Graph.TransportError.self) { while try await events.next() != nil {} }
  }

  /// One error may remove the place of another, and an operation of a batch may lack it.
  @Test func errorMayBeMissingBecauseOfAnotherOne() async throws {
    let endpoint = try endpoint()
    let faults: [MockFault] = [.error(at: "shop", "gone"), .error(at: "shop.description", "lost")]
    endpoint.enqueue(faults[0], faults[1])
    #expect(try await endpoint.json(query).at("errors[0].message") == "gone")
    endpoint.enqueue(faults[1])
    let batch: JSON = [["query": "{ products { nodes { id } } }"], ["query": .string(query)]]
    guard case .array(let responses) = try await endpoint.send(Shop.request(batch)).json else {
      Issue.record("no list")
      return
    }
    #expect(responses.map { $0.at("errors[0].message") } == [nil, "lost"])
  }

  @Test func violationInsertsValuesThatTheSchemaForbids() async throws {
    let endpoint = try endpoint()
    endpoint.enqueue(
      .violation(at: "shop.name", 7), .violation(at: "products.nodes[1]", nil))
    let json = try await endpoint.json(query)
    #expect(json.at("data.shop.name") == 7)
    #expect(json.at("data.products.nodes[1]") == .null)
    #expect(json["errors"] == nil)
  }

  @Test(arguments: ["shop.nothing", "products.nodes[9].id", "shop.name.more"])
  func violationAtAnUnknownPathThrows(_ path: String) async throws {
    let endpoint = try endpoint()
    endpoint.enqueue(.violation(at: try #require(ResponsePath(path)), 7))
    let error = await #expect(throws: Graph.TransportError.self) {
      try await endpoint.send(Shop.request(query))
    }
    #expect(error?.message.contains(path) == true)
  }

  @Test func piecesAddUpToTheBody() async throws {
    let endpoint = try endpoint()
    let whole = try await endpoint.send(Shop.request(query)).bytes
    endpoint.enqueue(.pieces(ofBytes: 7, every: .zero))
    var pieces: [[UInt8]] = []
    for try await piece in try await endpoint.send(Shop.request(query)).body {
      pieces.append(piece)
    }
    #expect(Array(pieces.joined()) == whole)
    #expect(pieces.dropLast().allSatisfy { $0.count == 7 })
  }

  @Test(arguments: [0, 1, 20])
  func cutOffBodyFailsAfterTheGivenBytes(_ count: Int) async throws {
    let endpoint = try endpoint()
    endpoint.enqueue(.cutOff(afterBytes: count))
    var pieces = try await endpoint.send(Shop.request(query)).body.makeAsyncIterator()
    var received = 0
    let error = await #expect(throws: Graph.TransportError.self) {
      while let piece = try await pieces.next() { received += piece.count }
    }
    #expect(error?.code == .connectionLost && error?.bytesSent == true)
    #expect(received == count)
  }

  @Test func delaysUseTheGivenClock() async throws {
    let clock = RecordingClock()
    let endpoint = try MockEndpoint(schema: Shop.schema, clock: clock)
    endpoint.enqueue(.delay(.seconds(30)))
    _ = try await endpoint.send(Shop.request(query))
    #expect(clock.sleeps == [.seconds(30)])
  }

  @Test func aDelayBeyondTheTimeoutFails() async throws {
    let clock = RecordingClock()
    let endpoint = try MockEndpoint(schema: Shop.schema, clock: clock)
    endpoint.enqueue(.delay(.seconds(30)))
    var request = Shop.request(query)
    request.timeout = .seconds(10)
    let error = await #expect(throws: Graph.TransportError.self) {
      try await endpoint.send(request)
    }
    #expect(error?.code == .timedOut)
    #expect(clock.sleeps == [.seconds(10)])
  }
}
