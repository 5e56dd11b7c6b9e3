import Foundation
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Fields of objects that stay at a logout are missing if they lead to the user's objects: the next user has not got a
/// null or an empty list from the server.
@Suite struct LogoutFieldTests {
  private let secret = "93ce-secret"
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(
    _ kind: StoreKind, _ policies: [String: Graph.TypePolicy]
  ) throws -> Graph.Store {
    let configuration = Graph.Store.Configuration(policies: policies)
    return switch kind {
    case .file:
      try Graph.Store(schema: Sample.schema, file: folder.file(), configuration: configuration)
    case .memory: Graph.Store(inMemory: Sample.schema, configuration: configuration)
    }
  }

  private var holdsSecret: Bool {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).contains { name in
        try Data(contentsOf: folder.file(name)).range(of: Data(secret.utf8)) != nil
      }
    }
  }

  private static let sensitivePerson = [
    "Person": Graph.TypePolicy(persistence: .sensitive),
    "Club": Graph.TypePolicy(persistence: .persistent),
  ]

  @Test(arguments: StoreKind.allCases)
  func fieldsWithDeletedObjectsAreMissing(kind: StoreKind) async throws {
    let store = try open(kind, Self.sensitivePerson)
    let club = Sample.buildQuery {
      $0.club(id: "c") {
        $0.id().name().captain { $0.id() }.persons { $0.id() }.teams { $0.id() }
      }
    }
    try await store.write(
      club,
      #"""
      {"club":{"id":"c","name":"Chess","captain":{"id":"\#(secret)-1"},
       "persons":[{"id":"\#(secret)-2"}],"teams":[[{"id":"\#(secret)-3"},null]]}}
      """#)
    let report = try await store.logout()
    #expect(report.deleted.count == 4)
    #expect(try store.text("Club:c") == #"{"__typename":"Club","id":"c","name":"Chess"}"#)
    #expect(try !holdsSecret)
    // The next user's query leads to the club.
    try await store.write(
      Sample.buildQuery { $0.club(id: "c") { $0.id() } }, #"{"club":{"id":"c"}}"#)
    #expect(try store.read(club).missingText == ["club.captain", "club.persons", "club.teams"])
  }

  /// These tell that there was no object for this user.
  @Test(arguments: StoreKind.allCases)
  func nullAndEmptyListsAreMissing(kind: StoreKind) async throws {
    let store = try open(kind, Self.sensitivePerson)
    try await store.write(
      json: Array(
        #"""
        {"id":"c","name":"Chess","captain":null,"persons":[],"teams":[[null]],"motto":null,
         "place":null}
        """#.utf8), as: Sample.Club.self)
    try await store.logout()
    #expect(
      try store.text("Club:c")
        == #"{"__typename":"Club","id":"c","name":"Chess","motto":null,"place":null}"#)
  }

  /// An error tells that the field failed for this user, and its path may contain a key.
  @Test(arguments: StoreKind.allCases)
  func errorsOfFieldsThatLeadToDeletedObjectsAreDeleted(kind: StoreKind) async throws {
    let store = try open(kind, Self.sensitivePerson)
    let club = Sample.buildQuery { $0.club(id: "c") { $0.id().motto().captain { $0.id() } } }
    let errors = """
      [{"message":"\(secret)","path":["club","captain"]},
       {"message":"b","path":["club","motto"]}]
      """
    try await store.write(
      club, #"{"club":{"id":"c","motto":null,"captain":null}}"#, errors: errors)
    try await store.logout()
    #expect(try !holdsSecret)
    try await store.write(
      Sample.buildQuery { $0.club(id: "c") { $0.id() } }, #"{"club":{"id":"c"}}"#)
    let read = try store.read(club)
    #expect(read.missingText == ["club.captain"])
    #expect(read.errors.map(\.message) == ["b"])
  }

  /// The arguments contain the keys of objects, cursors those of nodes.
  @Test(arguments: StoreKind.allCases)
  func connectionsOfDeletedNodesAreMissing(kind: StoreKind) async throws {
    let store = try open(
      kind, ["Product": Graph.TypePolicy(persistence: .sensitive, queryable: [])])
    func page(after cursor: String?) -> Sample.QueryQuery {
      Sample.buildQuery {
        $0.person(id: "p") {
          $0.id().name().favourites(first: 1, after: cursor) {
            $0.totalCount().edges { $0.cursor().node { $0.id() } }
              .pageInfo { $0.hasNextPage().endCursor() }
          }
        }
      }
    }
    func response(_ number: Int) -> String {
      """
      {"person":{"id":"p","name":"Ann","favourites":{"totalCount":2,
       "edges":[{"cursor":"\(secret)-c\(number)","node":{"id":"\(secret)-\(number)"}}],
       "pageInfo":{"hasNextPage":\(number < 2),"endCursor":"\(secret)-c\(number)"}}}}
      """
    }
    // Without nodes, the page is an ordinary value.
    let count = Sample.buildQuery {
      $0.person(id: "p") {
        $0.id().favourites(first: 1) { $0.totalCount().pageInfo { $0.endCursor() } }
      }
    }
    try await store.write(page(after: nil), response(1))
    try await store.write(page(after: "\(secret)-c1"), response(2))
    try await store.write(
      count,
      #"{"person":{"id":"p","favourites":{"totalCount":2,"pageInfo":{"endCursor":"\#(secret)-c1"}}}}"#
    )
    let report = try await store.logout()
    #expect(
      Set(report.deleted.map(\.description)) == [
        "Query:", "Product:\(secret)-1", "Product:\(secret)-2",
      ])
    #expect(try !holdsSecret)
    #expect(try store.text("Person:p") == #"{"__typename":"Person","id":"p","name":"Ann"}"#)
    try await store.write(
      Sample.buildQuery { $0.person(id: "p") { $0.id() } }, #"{"person":{"id":"p"}}"#)
    #expect(try !store.read(page(after: nil)).missing.isEmpty)
    #expect(try !store.read(count).missing.isEmpty)
  }

  /// A connection of persistent objects stays, unless one of its nodes is deleted with a user's object.
  @Test(arguments: StoreKind.allCases)
  func connectionsWithObjectsThatADeletionCascadesToAreMissing(kind: StoreKind) async throws {
    let policies = [
      "CheckoutLine": Graph.TypePolicy(
        persistence: .sensitive, deleteRules: ["product": .cascade])
    ]
    let store = try open(kind, policies)
    func write(_ person: String, _ product: String) async throws {
      try await store.write(
        Sample.buildQuery {
          $0.person(id: .init(rawValue: person)) {
            $0.id().favourites(first: 1) { $0.nodes { $0.id() }.pageInfo { $0.hasNextPage() } }
          }
        },
        """
        {"person":{"id":"\(person)","favourites":{"nodes":[{"id":"\(product)"}],
         "pageInfo":{"hasNextPage":false}}}}
        """)
    }
    try await write("1", "\(secret)-#1.2")
    try await write("2", "kept")
    try await store.write(
      json: Array(#"{"id":"l","quantity":1,"product":{"id":"\#(secret)-#1.2"}}"#.utf8),
      as: Sample.CheckoutLine.self)
    try await store.logout()
    #expect(try !holdsSecret)
    #expect(try store.text("Person:1") == #"{"__typename":"Person","id":"1"}"#)
    #expect(try store.text("Person:2")?.contains("favourites") == true)
    #expect(try store.contains(Sample.Product.self, key: "kept"))
    #expect(try !store.contains(Sample.Product.self, key: "\(secret)-#1.2"))
  }
}
