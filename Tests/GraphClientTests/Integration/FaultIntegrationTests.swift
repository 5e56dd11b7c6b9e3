import Foundation
import GraphQLRuntime
import Testing

@testable import GraphClient

/// Through the proxy that injects faults.
@Suite(.enabled(if: TestServer.isRunning, TestServer.absence))
struct FaultIntegrationTests {
  @Test(arguments: ["429", "502", "503", "reset", "307", "slow"])
  func querySucceedsDespiteTheFault(fault: String) async throws {
    let client = Graph.Client.integration(try TestServer.url(fault: fault))
    #expect(try await client.query(shopQuery()).data?.shop.name == "Shoes")
  }

  @Test(arguments: ["429", "502", "503", "reset", "close"])
  func mutationIsNotRetriedAfterAFault(fault: String) async throws {
    let client = Graph.Client.integration(try TestServer.url(fault: fault))
    await #expect(throws: Graph.QueryError.self) { try await client.mutate(renameMutation()) }
  }

  @Test func redirectedMutationsKeepTheirBody() async throws {
    let client = Graph.Client.integration(try TestServer.url(fault: "307"))
    #expect(try await client.mutate(renameMutation()).data?.rename?.name == "Boots")
  }

  @Test func aTruncatedCompressedBodyIsAnError() async throws {
    let client = Graph.Client.integration(try TestServer.url(fault: "gzip"))
    await #expect(throws: Graph.QueryError.self) { try await client.query(shopQuery()) }
  }

  @Test func decompressedBodyIsLimited() async throws {
    let client = Graph.Client.integration(try TestServer.url(fault: "bomb"))
    let error = await #expect(throws: Graph.QueryError.self) { try await client.query(shopQuery()) }
    let cause = try #require(error?.transportError)
    #expect(cause.code == .tooLarge)
  }

  @Test func anEarlyCloseIsATransportError() async throws {
    let client = Graph.Client.integration(try TestServer.url(fault: "close"))
    let error = await #expect(throws: Graph.QueryError.self) { try await client.query(shopQuery()) }
    #expect(error?.code == .transport && error?.transportError != nil)
  }

  @Test func responseOfAnotherMediaTypeIsRead() async throws {
    let client = Graph.Client.integration(try TestServer.url(fault: "type"))
    #expect(try await client.query(shopQuery()).requireData().shop.name == "Shoes")
  }

  @Test func htmlIsAnUnexpectedMediaType() async throws {
    let client = Graph.Client.integration(try TestServer.url(fault: "html"))
    let error = await #expect(throws: Graph.QueryError.self) { try await client.query(shopQuery()) }
    #expect(error?.code == .unexpectedContentType)
  }

  @Test func anEmptyBodyCausesANoDataError() async throws {
    let client = Graph.Client.integration(try TestServer.url(fault: "empty"))
    let error = await #expect(throws: Graph.QueryError.self) { try await client.query(shopQuery()) }
    #expect(error?.code == .noData)
  }

  @Test func slowResponseTimesOutAtTheDeadline() async throws {
    let client = Graph.Client.integration(try TestServer.url(fault: "dripping"))
    let error = await #expect(throws: Graph.QueryError.self) {
      try await client.query(shopQuery(), timeout: .milliseconds(300))
    }
    let cause = try #require(error?.transportError)
    #expect(cause.code == .timedOut)
  }
}
