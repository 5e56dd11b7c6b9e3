import Foundation
import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLRuntime
import GraphQLSchema
import GraphTesting
import Testing

/// Typed operations with `@defer` and `@stream`, against the mock endpoint.
@Suite struct DeferredTests {
  private static let sdl = Result {
    try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Support/Sample.graphqls"), encoding: .utf8)
  }

  private func client(
    _ form: IncrementalForm
  ) throws -> Graph.Client {
    var resolvers = ResolverTable()
    resolvers["Query", "club"] = { _ in
      .json(["id": "c1", "kind": "CHESS", "captain": ["id": "p1", "name": "Ann"]])
    }
    resolvers["Query", "clubs"] = { _ in
      .json([["id": "c2", "name": "A"], ["id": "c3", "name": "B"], ["id": "c4", "name": "C"]])
    }
    let endpoint = try MockEndpoint(
      schema: try ServiceSchema(sdl: Self.sdl.get()), options: MockOptions(incrementalForm: form),
      resolvers: resolvers)
    return Graph.Client(endpoint: try url, transport: endpoint)
  }

  @Test(arguments: [IncrementalForm.announced, .paths])
  func partsArriveOneAfterAnother(form: IncrementalForm) async throws {
    var captains: [String?] = []
    var clubs: [[String]] = []
    var last: SlowClubQuery.Data?
    for try await response in try client(form).responses(to: SlowClubQuery(id: "c1")) {
      let data = try response.requireData()
      let club = try #require(data.club)
      #expect(club.captain?.id == "p1")
      #expect((club.deferredCaptain == nil) == (club.deferredCaptainDelivery == .pending))
      captains.append(club.deferredCaptain?.captain?.name)
      clubs.append(data.clubs.map(\.name))
      if last == nil {
        #expect(club.deferredCaptainDelivery == .pending && club.clubKindDelivery == .pending)
        #expect(data.clubsDelivery == .pending)
      }
      last = data
    }
    #expect(captains.first == .some(nil) && captains.last == "Ann")
    #expect(clubs.first == ["A"] && clubs.last == ["A", "B", "C"])
    let club = try #require(last?.club)
    #expect(club.deferredCaptainDelivery == .complete && club.clubKindDelivery == .complete)
    #expect(last?.clubsDelivery == .complete)
  }
  /// The same fault in both forms: the captain has no name, which the service notices after it has sent the rest.
  @Test(arguments: [
    #"""
    {"incremental":[{"id":"0","data":{"kind":"CHESS"}}],"completed":[{"id":"0"},{"id":"1","errors":
    [{"message":"no names","path":["club","captain","name"]}]}],"hasNext":false}
    """#,
    #"""
    {"incremental":[{"path":["club"],"data":{"kind":"CHESS"}},{"path":["club"],"label":"captain",
    "data":{"captain":null},"errors":[{"message":"no names","path":["club","captain","name"]}]}],
    "hasNext":false}
    """#,
    // The errors have no path of their own.
    #"""
    {"incremental":[{"id":"0","data":{"kind":"CHESS"}}],"completed":[{"id":"0"},{"id":"1","errors":
    [{"message":"no names"}]}],"hasNext":false}
    """#,
    #"""
    {"incremental":[{"path":["club"],"data":{"kind":"CHESS"}},{"path":["club"],"label":"captain",
    "data":null,"errors":[{"message":"no names"}]}],"hasNext":false}
    """#,
  ])
  func aPartThatFailsHasTheErrors(last: String) async throws {
    var initial = #"{"data":{"club":{"id":"c1","captain":{"id":"p1"}},"clubs":[]},"hasNext":true"#
    if last.contains("completed") {
      initial +=
        #","pending":[{"id":"0","path":["club"]},{"id":"1","path":["club"],"label":"captain"}]"#
    }
    let parts = [initial + "}", last].map {
      "\r\n---\r\nContent-Type: application/json\r\n\r\n\($0)"
    }
    let transport = FixedResponse(body: parts.joined() + "\r\n-----\r\n")
    let client = Graph.Client(endpoint: try url, transport: transport)
    var deliveries: [GraphQL.Delivery] = []
    var kinds: [GraphQL.Delivery] = []
    for try await response in client.responses(to: SlowClubQuery(id: "c1")) {
      let club = try #require(response.data?.club)
      #expect(club.captain?.id == "p1" && club.deferredCaptain == nil)
      deliveries.append(club.deferredCaptainDelivery)
      kinds.append(club.clubKindDelivery)
    }
    #expect(kinds == [.pending, .complete])
    guard case .failed(let errors) = deliveries.last else {
      Issue.record("\(deliveries)")
      return
    }
    #expect(deliveries.count == 2 && deliveries[0] == .pending)
    #expect(errors.map(\.message) == ["no names"])
  }

  @Test func aStreamedListThatIsNullIsComplete() throws {
    func delivery(teams: Bool = true, _ members: String, _ errors: String = "[]") throws
      -> GraphQL.Delivery?
    {
      let text = #"{"data":{"club":{\#(members)"id":"c1"}},"errors":\#(errors)}"#
      return try ClubTeamsQuery(id: "c1", teams: teams).operation()
        .response(from: Array(text.utf8)).data?.club?.teamsDelivery
    }
    let error = #"[{"message":"away","path":["club","teams"]}]"#
    #expect(try delivery(#""teams":[],"#) == .complete)
    #expect(try delivery(#""teams":null,"#) == .complete)
    #expect(try delivery(teams: false, "") == .excluded)
    guard case .failed(let errors) = try delivery(#""teams":null,"#, error) else {
      Issue.record("the list has not failed")
      return
    }
    #expect(errors.map(\.message) == ["away"])
  }

  private var url: URL { get throws { try #require(URL(string: "https://clubs.test/graphql")) } }
}

/// A response in parts, the same for each request.
private struct FixedResponse: Graph.Transport {
  let body: String

  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    Graph.HTTPResponse(
      status: 200, headers: ["Content-Type": "multipart/mixed; boundary=\"-\""],
      url: request.url, body: Graph.HTTPResponse.Body(Array(body.utf8)))
  }
}
