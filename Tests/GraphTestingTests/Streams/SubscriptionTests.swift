import Foundation
import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting
import Testing

struct SubscriptionTests {
  private let query = "subscription { orderUpdated(id: \"1\") { id number } }"

  private func send(
    _ endpoint: MockEndpoint, accept: String
  ) async throws -> Graph.HTTPResponse {
    try await endpoint.send(Shop.request(["query": .string(query)], accept: accept))
  }

  /// An endpoint whose orders count up.
  private func endpoint(failing: Bool = false) throws -> MockEndpoint {
    var resolvers = ResolverTable()
    resolvers[eventsOf: "orderUpdated"] = { context in
      AsyncThrowingStream { continuation in
        for number in 1...3 {
          continuation.yield(
            .json(["orderUpdated": ["id": context.arguments["id"] ?? "", "number": JSON(number)]]))
        }
        continuation.finish(throwing: failing ? ExecutionError("the source broke") : nil)
      }
    }
    return try MockEndpoint(schema: Shop.schema, resolvers: resolvers)
  }

  @Test func sendsEventsAsServerSentEvents() async throws {
    let response = try await send(try endpoint(), accept: "text/event-stream")
    #expect(response.status == 200)
    #expect(response.headers["content-type"]?.hasPrefix("text/event-stream") == true)
    #expect(
      try await response.text == """
        event: next
        data: {"data":{"orderUpdated":{"id":"1","number":1}}}

        event: next
        data: {"data":{"orderUpdated":{"id":"1","number":2}}}

        event: next
        data: {"data":{"orderUpdated":{"id":"1","number":3}}}

        event: complete
        data:


        """)
  }

  @Test func sendsEventsAsMultipartParts() async throws {
    let response = try await send(
      try endpoint(), accept: "multipart/mixed;subscriptionSpec=\"1.0\", application/json")
    #expect(response.headers["content-type"]?.contains("boundary=\"graphql\"") == true)
    let text = try await response.text
    let parts = text.components(separatedBy: "\r\n--graphql")
    #expect(parts.count == 5)
    #expect(
      parts[2].hasSuffix(
        "\r\n\r\n{\"payload\":{\"data\":{\"orderUpdated\":{\"id\":\"1\",\"number\":2}}}}"))
    #expect(parts[4] == "--\r\n")
  }

  @Test func sourceErrorIsSentInTheStream() async throws {
    let events = try await send(try endpoint(failing: true), accept: "text/event-stream").text
    #expect(events.contains("the source broke"))
    let parts = try await send(try endpoint(failing: true), accept: "multipart/mixed").text
    #expect(parts.contains("{\"payload\":null,\"errors\":[{\"message\":\"the source broke\"}]}"))
  }

  @Test func generatesEventsWithoutASource() async throws {
    let clock = RecordingClock()
    let endpoint = try MockEndpoint(
      schema: Shop.schema,
      options: MockOptions(eventCount: 2, eventInterval: .seconds(5)), clock: clock)
    let text = try await send(endpoint, accept: "text/event-stream").text
    #expect(text.components(separatedBy: "event: next").count == 3)
    #expect(clock.sleeps == [.seconds(5), .seconds(5), .seconds(5)])
  }

  @Test(arguments: [true, false]) func timeoutEndsOnlyNonStreamingRequests(
    allowsStreaming: Bool
  ) async throws {
    let endpoint = try MockEndpoint(
      schema: Shop.schema,
      options: MockOptions(eventCount: 2, eventInterval: .seconds(5)), clock: RecordingClock())
    var request = Shop.request(["query": .string(query)], accept: "text/event-stream")
    request.timeout = .seconds(7)
    request.allowsStreaming = allowsStreaming
    let response = try await endpoint.send(request)
    if allowsStreaming {
      #expect(try await response.text.contains("event: complete"))
    } else {
      let error = await #expect(throws: Graph.TransportError.self) { try await response.text }
      #expect(error?.code == .timedOut)
    }
  }

  @Test func subscriptionRequiresAStreamingMediaType() async throws {
    let response = try await send(try endpoint(), accept: "application/json")
    #expect(response.status == 406)
  }

  @Test func invalidSubscriptionReturnsARequestError() async throws {
    let response = try await endpoint().send(
      Shop.request(
        ["query": "subscription { orderUpdated { id } }"],
        accept: "text/event-stream, application/graphql-response+json"))
    #expect(response.status == 400)
    #expect(try await response.json["errors"] != nil)
  }

  @Test func aStreamCanBeCutOff() async throws {
    let endpoint = try endpoint()
    endpoint.enqueue(.cutOff(afterBytes: 90))
    let body = try await send(endpoint, accept: "text/event-stream").body
    var bytes = 0
    await #expect(throws: Graph.TransportError.self) {
      for try await piece in body { bytes += piece.count }
    }
    #expect(bytes == 90)
  }

  @Test func cancellationEndsAStream() async throws {
    var resolvers = ResolverTable()
    resolvers[eventsOf: "orderUpdated"] = { _ in AsyncThrowingStream { _ in } }
    let endpoint = try MockEndpoint(schema: Shop.schema, resolvers: resolvers)
    let body = try await send(endpoint, accept: "text/event-stream").body
    let task = Task {
      for try await _ in body {}
    }
    task.cancel()
    let error = await #expect(throws: Graph.TransportError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }
}
