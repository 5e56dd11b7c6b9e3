import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphClient

@Suite struct ClientIdentificationTests {
  private func client(
    _ transport: ScriptedTransport, headers: Graph.Headers = [:],
    _ identification: Graph.ClientIdentification?
  ) -> Graph.Client {
    .test(transport, headers: headers) { $0.identification = identification }
  }

  @Test func isSentWithEachRequest() async throws {
    let transport = ScriptedTransport(.shop)
    let client = client(transport, .init(name: "shop-ios", version: "4.2 (381)"))
    _ = try await client.query(shopQuery())
    let request = try #require(transport.requests.first)
    #expect(request.headers["apollographql-client-name"] == "shop-ios")
    #expect(request.headers["apollographql-client-version"] == "4.2 (381)")
    #expect(
      transport.bodies.first?["extensions"]?.description
        == #"{"clientLibrary":{"name":"treeswift","version":"\#(Graph.libraryVersion)"}}"#)
  }

  @Test func headersOfTheClientHavePriority() async throws {
    let transport = ScriptedTransport(.shop)
    let client = client(
      transport, headers: ["Apollographql-Client-Name": "other"], .init(name: "shop-ios"))
    _ = try await client.query(shopQuery())
    let headers = try #require(transport.requests.first).headers
    #expect(headers.values(of: "apollographql-client-name") == ["other"])
    #expect(headers["apollographql-client-version"] == nil)
  }

  @Test func nothingIsSentByDefault() async throws {
    let transport = ScriptedTransport(.shop)
    _ = try await client(transport, nil).query(shopQuery())
    let request = try #require(transport.requests.first)
    #expect(request.headers.fields.allSatisfy { !$0.name.lowercased().hasPrefix("apollo") })
    #expect(transport.bodies.first?["extensions"] == nil)
  }

  @Test func newVersionUsesTheSameCache() async throws {
    let transport = ScriptedTransport(.shop)
    let storage = Graph.MemoryStorage()
    for version in ["1", "2"] {
      let client = Graph.Client.test(transport) {
        $0.storage = storage
        $0.identification = .init(name: "shop-ios", version: version)
      }
      _ = try await client.query(shopQuery(), cachePolicy: .cacheFirst)
    }
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: [
    "Sources/graphql-generator/GeneratorTool.swift", "Plugins/GraphQLGenerator/PluginSupport.swift",
  ])
  func versionIsThatOfTheGeneratorAndThePlugins(file: String) throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../..").standardized
    let source = try String(contentsOf: package.appending(path: file), encoding: .utf8)
    #expect(source.contains("version = \"\(Graph.libraryVersion)\""))
  }
}
