import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphClient

struct TrustedDocumentTests {
  private let text = try! shopQuery().operation().document

  private func manifest(_ id: String) -> [UInt8] {
    let body = JSON.string(text).description
    return Array(
      """
      {"format":"apollo-persisted-query-manifest","version":1,
      "operations":[{"id":"\(id)","body":\(body),"name":"","type":"query"}]}
      """.utf8)
  }

  private func client(
    _ transport: ScriptedTransport, _ trusted: Graph.TrustedDocuments,
    _ change: (inout Graph.ClientConfiguration) -> Void = { _ in }
  ) -> Graph.Client {
    .test(transport) {
      $0.trustedDocuments = trusted
      change(&$0)
    }
  }

  @Test func sendsTheIDOfTheManifest() async throws {
    let transport = ScriptedTransport(.shop)
    let client = client(transport, try Graph.TrustedDocuments(manifest: manifest("op-1")))
    #expect(try await client.query(shopQuery()).data?.shop.name == "Shoes")
    let body = try #require(transport.bodies.first)
    #expect(body["query"] == nil)
    #expect(
      body["extensions"]?.description
        == #"{"persistedQuery":{"version":1,"sha256Hash":"op-1"}}"#)
  }

  @Test func refusesOtherOperations() async throws {
    let transport = ScriptedTransport(.shop)
    let client = client(transport, try Graph.TrustedDocuments(manifest: manifest("op-1")))
    let error = await #expect(throws: Graph.QueryError.self) {
      try await client.mutate(renameMutation())
    }
    #expect(error?.code == .untrustedDocument)
    #expect(error?.message.contains("mutation") == true)
    #expect(transport.requests.isEmpty)
  }

  @Test func theServiceDecidesAboutHashes() async throws {
    let notFound = #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#
    let transport = ScriptedTransport(.json(notFound))
    let client = client(transport, .hashes()) { $0.persistedQueries = .post }
    let response = try await client.query(shopQuery())
    #expect(response.errors.first?.message == "PersistedQueryNotFound")
    // The text is never sent.
    #expect(transport.bodies.count == 1 && transport.bodies[0]["query"] == nil)
    #expect(
      transport.bodies[0]["extensions"]?["persistedQuery"]?["sha256Hash"]
        == .string(SHA256.hexDigest(text)))
  }

  @Test func operationsOfDocumentsAreSentByTheirHash() async throws {
    let transport = ScriptedTransport(.shop)
    let query = StoreTagsQuery(language: "de")
    _ = try? await client(transport, .hashes()).query(query)
    let body = try #require(transport.bodies.first)
    #expect(body["query"] == nil && body["variables"]?["language"] == "de")
    #expect(
      body["extensions"]?["persistedQuery"]?["sha256Hash"]
        == .string(SHA256.hexDigest(try query.operation().document)))
  }

  @Test(arguments: [
    (Graph.TrustedDocuments.Form.documentID, "documentId", "op-1", "op-1"),
    (
      .documentID, "documentId", String(repeating: "0a", count: 32),
      "sha256:" + String(repeating: "0a", count: 32)
    ),
    (
      .member("doc_id"), "doc_id", String(repeating: "0a", count: 32),
      String(repeating: "0a", count: 32)
    ),
  ])
  func sendsAMember(
    _ form: Graph.TrustedDocuments.Form, _ member: String, _ id: String, _ sent: String
  ) async throws {
    let transport = ScriptedTransport(.shop)
    let trusted = try Graph.TrustedDocuments(manifest: manifest(id), form: form)
    _ = try await client(transport, trusted).query(shopQuery())
    let body = try #require(transport.bodies.first)
    #expect(body[member] == .string(sent))
    #expect(body["query"] == nil && body["extensions"] == nil)
  }

  @Test func queriesMayBeGET() async throws {
    let transport = ScriptedTransport(.shop)
    let trusted = try Graph.TrustedDocuments(manifest: manifest("a b"), form: .documentID)
    _ = try await client(transport, trusted) { $0.persistedQueries = .get() }.query(shopQuery())
    let request = try #require(transport.requests.first)
    #expect(request.method == .get)
    #expect(request.url.query == "documentId=a%20b")
  }

  @Test func batchesHaveIDs() async throws {
    let transport = ScriptedTransport { request in
      let data = #"{"data":{"shop":{"name":"Shoes"}}}"#
      guard case .array = request.json else { return .json(data) }
      return .json("[\(data),\(data)]")
    }
    let trusted = try Graph.TrustedDocuments(manifest: manifest("op-1"), form: .documentID)
    let client = client(transport, trusted) {
      $0.batching = Graph.BatchPolicy(maximumCount: 2)
      $0.sharesEqualQueries = false
    }
    async let first = client.query(shopQuery())
    _ = try await (client.query(shopQuery()), first)
    for body in transport.bodies.map(\.description) {
      #expect(!body.contains("query") && body.contains("op-1"))
    }
  }

  @Test func relayManifestsAreRead() async throws {
    let transport = ScriptedTransport(.shop)
    let relay = Array(#"{"7":\#(JSON.string(text).description)}"#.utf8)
    let trusted = try Graph.TrustedDocuments(manifest: relay, form: .member("id"))
    _ = try await client(transport, trusted).query(shopQuery())
    #expect(transport.bodies.first?["id"] == "7")
  }

  @Test(arguments: [
    "", "[1]", #"{"a":1}"#,
    #"{"format":"apollo-persisted-query-manifest","version":1,"operations":[{"body":"{a}"}]}"#,
  ])
  func otherManifestsAreRefused(_ text: String) {
    #expect(throws: Graph.TrustedDocuments.InvalidManifest.self) {
      try Graph.TrustedDocuments(manifest: text.utf8)
    }
  }

  @Test(arguments: [
    (#"{"format":"x","version":1,"operations":[]}"#, "the format of the manifest is not Apollo's"),
    (
      #"{"format":"apollo-persisted-query-manifest","version":2,"operations":[]}"#,
      "the version of the manifest has to be 1"
    ),
    (
      #"{"format":"apollo-persisted-query-manifest","operations":[]}"#,
      "the version of the manifest has to be 1"
    ),
    (
      #"{"format":"apollo-persisted-query-manifest","version":1}"#,
      "the manifest has no list of operations"
    ),
  ])
  func formatAndVersionAreChecked(_ text: String, _ problem: String) throws {
    let error = #expect(throws: Graph.TrustedDocuments.InvalidManifest.self) {
      try Graph.TrustedDocuments(manifest: text.utf8)
    }
    #expect(error?.description == problem)
  }
}
