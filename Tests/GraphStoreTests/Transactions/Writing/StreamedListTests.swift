import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphStore

/// Streamed lists of leaves, and those in objects without a key, in both forms of a response in parts.
@Suite struct StreamedListTests {
  private static func names(_ streams: Bool) -> Sample.QueryQuery {
    Sample.buildQuery { query in
      query.person(id: "1") { person in
        person.id()
        if streams { person._directive(GraphQL.Directive<Sample>("stream")) }
        person.nicknames()
      }
    }
  }

  /// The friends have no key, so the list contains them.
  private static func friends(_ streams: Bool) -> Sample.QueryQuery {
    Sample.buildQuery { query in
      query.person(id: "1") {
        $0.id()
          .friends { friend in
            friend.name()
            if streams { friend._directive(GraphQL.Directive<Sample>("stream")) }
            friend.nicknames()
          }
      }
    }
  }

  private static func friendsOfFriends(_ streams: Bool) -> Sample.QueryQuery {
    Sample.buildQuery { query in
      query.person(id: "1") {
        $0.id()
          .friends { friend in
            friend.name()
            if streams { friend._directive(GraphQL.Directive<Sample>("stream")) }
            friend.friends { $0.id().name() }
          }
      }
    }
  }

  private static func captain(_ streams: Bool) -> Sample.QueryQuery {
    Sample.buildQuery { query in
      query.club(id: "1") {
        $0.id()
          .captain { captain in
            captain.name()
            if streams { captain._directive(GraphQL.Directive<Sample>("stream")) }
            captain.nicknames()
          }
      }
    }
  }

  private func client(_ payloads: [String], _ store: Graph.Store) throws -> Graph.Client {
    let parts = payloads.map { "\r\n---\r\nContent-Type: application/json\r\n\r\n\($0)" }
    return Graph.Client(
      endpoint: try #require(URL(string: "https://clubs.test/graphql")),
      transport: PartsTransport(body: parts.joined() + "\r\n-----\r\n"), store: store)
  }

  /// Receives the payloads; the stored data after each of them.
  private func receive(
    _ payloads: [String], of streamed: Sample.QueryQuery, in store: Graph.Store,
    _ plain: Sample.QueryQuery
  ) async throws -> [String?] {
    var stored: [String?] = []
    for try await response in try client(payloads, store).responses(to: streamed) {
      #expect(response.storeError == nil)
      stored.append(try text(store, plain))
    }
    return stored
  }

  private func text(_ store: Graph.Store, _ query: Sample.QueryQuery) throws -> String? {
    try store.read(query).data.map {
      String(decoding: $0._stored.json.source(at: $0._stored.index), as: UTF8.self)
    }
  }

  /// The payloads of a list of three items, of which the first payload has one.
  ///
  /// - Parameters:
  ///   - data: the first payload, with `%` for the list.
  ///   - path: that of the list.
  private func payloads(
    _ data: String, _ path: String, _ items: [String], announces: Bool
  ) -> [String] {
    let first = data.replacing("%", with: "[\(items[0])]")
    if announces {
      return [
        #"{"data":\#(first),"pending":[{"id":"0","path":[\#(path)]}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","items":[\#(items[1])]}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","items":[\#(items[2])]}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ]
    }
    return [
      #"{"data":\#(first),"hasNext":true}"#,
      #"{"incremental":[{"path":[\#(path),1],"items":[\#(items[1])]}],"hasNext":true}"#,
      #"{"incremental":[{"path":[\#(path),2],"items":[\#(items[2])]}],"hasNext":false}"#,
    ]
  }

  private func failure(_ path: String, announces: Bool) -> String {
    announces
      ? #"{"completed":[{"id":"0","errors":[{"message":"busy"}]}],"hasNext":false}"#
      : #"""
      {"incremental":[{"path":[\#(path),1],"items":null,"errors":[{"message":"busy","path":[\#(path),1]}]}],
      "hasNext":false}
      """#
  }

  private struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let query: @Sendable (Bool) -> Sample.QueryQuery
    let data: String
    let path: String
    var items = [#""a""#, #""b""#, #""c""#]
  }

  private static let cases = [
    Case(
      testDescription: "of an entity", query: names,
      data: #"{"person":{"id":"1","nicknames":%}}"#, path: #""person","nicknames""#),
    Case(
      testDescription: "of an embedded object", query: captain,
      data: #"{"club":{"id":"1","captain":{"name":"Ann","nicknames":%}}}"#,
      path: #""club","captain","nicknames""#),
    Case(
      testDescription: "in another list", query: friends,
      data:
        #"{"person":{"id":"1","friends":[{"name":"A","nicknames":%},{"name":"B","nicknames":[]}]}}"#,
      path: #""person","friends",0,"nicknames""#),
    Case(
      testDescription: "of entities, in another list", query: friendsOfFriends,
      data: #"{"person":{"id":"1","friends":[{"name":"A","friends":%}]}}"#,
      path: #""person","friends",0,"friends""#,
      items: ["2", "3", "4"].map { #"{"id":"\#($0)","name":"n\#($0)"}"# }),
  ]

  @Test(arguments: cases, [true, false])
  private func aListIsStoredWhenAllOfItHasArrived(list: Case, announces: Bool) async throws {
    let store = try StoreKind.memory.make()
    let (plain, streamed) = (list.query(false), list.query(true))
    let payloads = payloads(list.data, list.path, list.items, announces: announces)
    let new = list.data.replacing("%", with: "[\(list.items.joined(separator: ","))]")
    #expect(try await receive(payloads, of: streamed, in: store, plain) == [nil, nil, new])
    let old = list.data.replacing("%", with: "[\(list.items[2]),\(list.items[0])]")
    try await store.write(plain, old)
    #expect(try await receive(payloads, of: streamed, in: store, plain) == [old, old, new])
  }

  @Test(arguments: cases, [true, false])
  private func aListThatFailsReplacesNone(list: Case, announces: Bool) async throws {
    let store = try StoreKind.memory.make()
    let plain = list.query(false)
    let old = list.data.replacing("%", with: "[\(list.items[2]),\(list.items[0])]")
    try await store.write(plain, old)
    let whole = payloads(list.data, list.path, list.items, announces: announces)
    let payloads = [whole[0], failure(list.path, announces: announces)]
    #expect(try await receive(payloads, of: list.query(true), in: store, plain) == [old, old])
    if !list.testDescription.contains("another") {
      #expect(try store.read(plain).errors.map(\.message) == ["busy"])
    }
    let new = list.data.replacing("%", with: "[\(list.items.joined(separator: ","))]")
    _ = try await receive(whole, of: list.query(true), in: store, plain)
    #expect(try text(store, plain) == new)
    #expect(try store.read(plain).errors == [])
  }

  /// A list that is empty at first, and one that arrives as a whole.
  @Test(arguments: [true, false]) func aListMayStartEmpty(announces: Bool) async throws {
    let store = try StoreKind.memory.make()
    let (plain, streamed) = (Self.names(false), Self.names(true))
    let first = #"{"data":{"person":{"id":"1","nicknames":[]}}"#
    let payloads =
      announces
      ? [
        first + #","pending":[{"id":"0","path":["person","nicknames"]}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","items":["a"]}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ]
      : [
        first + #","hasNext":true}"#,
        #"{"incremental":[{"path":["person","nicknames",0],"items":["a"]}],"hasNext":false}"#,
      ]
    #expect(
      try await receive(payloads, of: streamed, in: store, plain) == [
        nil, #"{"person":{"id":"1","nicknames":["a"]}}"#,
      ])
    let whole = #"{"person":{"id":"1","nicknames":["b","c"]}}"#
    #expect(
      try await receive([#"{"data":\#(whole),"hasNext":false}"#], of: streamed, in: store, plain)
        == [whole])
    try await store.write(streamed, #"{"person":{"id":"1","nicknames":["d"]}}"#)
    #expect(try store.read(plain).data?.person?.nicknames == ["d"])
  }
}

private struct PartsTransport: Graph.Transport {
  let body: String

  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    Graph.HTTPResponse(
      status: 200, headers: ["Content-Type": "multipart/mixed; boundary=\"-\""],
      url: request.url, body: Graph.HTTPResponse.Body(Array(body.utf8)))
  }
}
