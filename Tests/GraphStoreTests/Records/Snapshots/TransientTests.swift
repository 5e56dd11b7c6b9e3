import Foundation
import GraphJSON
import GraphQLRuntime
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphStore

/// No file contains a byte of objects of transient types, of objects that only they lead to, or of
/// their keys.
@Suite struct TransientTests {
  private let folder: TemporaryFolder
  private let secret = "77aa-secret"

  init() throws { folder = try TemporaryFolder() }

  private func open(_ policies: [String: Graph.TypePolicy] = [:]) throws -> Graph.Store {
    try Graph.Store(
      schema: Sample.schema, file: folder.file(),
      configuration: Graph.Store.Configuration(policies: policies))
  }

  private var filesHoldSecret: Bool {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).contains { name in
        try Data(contentsOf: folder.file(name)).range(of: Data(secret.utf8)) != nil
      }
    }
  }

  private var checkout: Sample.QueryQuery {
    Sample.buildQuery {
      $0.checkout(id: "77aa-secret") {
        $0.id().lines { $0.id().quantity() }
      }
      .product(id: "p") { $0.id().title() }
    }
  }

  private var response: String {
    """
    {"checkout":{"id":"\(secret)","lines":[{"id":"\(secret)-l","quantity":2}]},
     "product":{"id":"p","title":"Hat"}}
    """
  }

  @Test func rootFieldsWithTransientObjectsAreMemoryOnly() async throws {
    do {
      let store = try open()
      try await store.write(checkout, response)
      #expect(try store.read(checkout).missing.isEmpty)
      #expect(try store.read(checkout).data?.checkout?.lines.map(\.quantity) == [2])
      #expect(try !filesHoldSecret)
      // Another write of the root keeps all of it.
      try await store.write(
        Sample.buildQuery { $0.person(id: "1") { $0.id() } }, #"{"person":{"id":"1"}}"#)
      #expect(try store.read(checkout).missing.isEmpty)
      // Another store of the file does not find it either.
      #expect(try open().read(checkout).missingText == ["checkout"])
      try await store.logout()
      #expect(try store.read(checkout).data == nil)
      #expect(store.committed.memory.memoryOnly.isEmpty)
      try await store.write(checkout, response)
    }
    #expect(try !filesHoldSecret)
    let store = try open()
    #expect(try store.read(checkout).missingText == ["checkout"])
    #expect(try store.object(Sample.Product.self, key: "p")?.title == "Hat")
  }

  @Test func deletingATransientObjectRemovesItsLink() async throws {
    let store = try open()
    try await store.write(checkout, response)
    try await store.write { [secret] in
      try $0.delete(Sample.Checkout.self, key: secret)
    }
    #expect(try store.read(checkout).data?.checkout == nil)
    #expect(try store.read(checkout).missing.isEmpty)
  }

  @Test func linksToTransientObjectsAreNotWritten() async throws {
    let policies = ["Person": Graph.TypePolicy(persistence: .transient, queryable: [])]
    let store = try open(policies)
    let club = Sample.buildQuery {
      $0.club(id: "c") {
        $0.id().name().captain { $0.id().name() }.persons { $0.id() }.teams { $0.id() }
      }
    }
    try await store.write(
      club,
      """
      {"club":{"id":"c","name":"Chess","captain":{"id":"\(secret)","name":"Ann"},
       "persons":[{"id":"\(secret)"}],"teams":[[{"id":"\(secret)"}],[null]]}}
      """)
    #expect(try !filesHoldSecret)
    #expect(try store.read(club).data?.club?.captain?.name == "Ann")
    let chess = try store.fetch(Sample.Club.self).filter(\.name == "Chess").all()
    #expect(chess.map(\.captain?.name) == ["Ann"])
    // Without the link, the field may be in the file.
    try await store.write(
      json: Array(#"{"id":"c","captain":null}"#.utf8), as: Sample.Club.self)
    let other = try open(policies)
    let read = try #require(try other.object(Sample.Club.self, key: "c"))
    #expect(read.has(\.captain) && read.captain == nil)
    #expect(!read.has(\.persons) && read.name == "Chess")
    // Data that was deleted from the file is deleted from memory.
    try await store.write { try $0.delete(Sample.Club.self, key: "c") }
    #expect(try store.object(Sample.Club.self, key: "c") == nil)
    #expect(store.committed.memory.memoryOnly.keys.allSatisfy { $0.typeName != "Club" })
  }

  @Test func errorsOfFieldsWithTransientObjectsAreMemoryOnly() async throws {
    let store = try open()
    let operation = try checkout.operation()
    let response = try operation.response(
      from: Array(
        #"""
        {"data":{"checkout":null,"product":{"id":"p","title":"Hat"}},
         "errors":[{"message":"no \#(secret)","path":["checkout"]}]}
        """#.utf8))
    try await store.write(response, of: operation)
    #expect(try !filesHoldSecret)
    #expect(try store.read(checkout).errors.map(\.message) == ["no \(secret)"])
  }

  /// The lines of a checkout cannot be reached in another way, but the objects that a line leads to
  /// can.
  @Test func typesReachableOnlyThroughTransientTypesAreTransient() {
    func transient(_ overrides: [String: Graph.TypePolicy]) -> Set<String> {
      PolicyResolver(schema: Sample.schema, overrides: overrides).transientTypes
    }
    // A root field leads to persons, but only clubs lead to places.
    #expect(
      transient(["Club": Graph.TypePolicy(persistence: .transient)])
        .isDisjoint(with: ["Person", "Place", "Product"]))
    let keyed = ["Place": Graph.TypePolicy(key: ["name"])]
    #expect(!transient(keyed).contains("Place"))
    let reached = keyed.merging(["Club": Graph.TypePolicy(persistence: .transient)]) { $1 }
    // The search leads to places as well.
    #expect(!transient(reached).contains("Place"))
    #expect(
      transient([
        "Image": Graph.TypePolicy(key: ["url"]), "Club": Graph.TypePolicy(persistence: .transient),
      ])
      .isSuperset(of: ["Club", "Image"]))
    #expect(
      !transient([
        "Image": Graph.TypePolicy(key: ["url"], persistence: .persistent),
        "Club": Graph.TypePolicy(persistence: .transient),
      ]).contains("Image"))
  }

  /// The response to a mutation or a subscription may nevertheless contain data of a user.
  @Test func typesReachableFromQueriesAreNotTransient() {
    let reached = Storefront.schema.typesReached(onlyThrough: ["Customer", "Order", "Checkout"])
    #expect(reached.contains("MailingAddress"))
    #expect(reached.isDisjoint(with: ["Product", "Shop", "QueryRoot", "Mutation", "Subscription"]))
  }

  /// The client's cache also skips types that only such objects lead to: carts are transient, and
  /// so are their lines, which the configuration does not name.
  @Test func responsesWithTransientObjectsAreSensitive() throws {
    func isSensitive(_ query: Storefront.QueryRootQuery, _ node: String) throws -> Bool {
      let operation = try query.operation()
      return operation.isSensitive(
        try operation.response(from: Array("{\"data\":{\"node\":\(node)}}".utf8)))
    }
    let line = Storefront.buildQuery { $0.node(id: "l") { $0.onCartLine { $0.id().quantity() } } }
    #expect(try isSensitive(line, #"{"__typename":"CartLine","id":"l","quantity":1}"#))
    let product = Storefront.buildQuery { $0.node(id: "p") { $0.onProduct { $0.id() } } }
    #expect(try !isSensitive(product, #"{"__typename":"Product","id":"p"}"#))
    // A fragment that does not match gives no information; the object's own type does.
    let id = Storefront.buildQuery { $0.node(id: "l") { $0.id() } }
    #expect(try isSensitive(id, #"{"__typename":"CartLine","id":"l"}"#))
  }

  @Test func thePolicyForOtherTypesAppliesToUnnamedTypes() async throws {
    let policies = [
      Graph.TypePolicy.others: Graph.TypePolicy(persistence: .transient, maximumAge: .seconds(5)),
      "Product": Graph.TypePolicy(persistence: .persistent),
    ]
    do {
      let store = try open(policies)
      try await store.write(
        json: Array(#"{"id":"\#(secret)","name":"\#(secret)"}"#.utf8), as: Sample.Person.self)
      try await store.write(
        json: Array(
          #"{"id":"p","title":"Hat","price":{"amount":"1","currencyCode":"EUR"}}"#.utf8),
        as: Sample.Product.self)
      #expect(try store.counts() == ["Person": 1, "Product": 1])
      #expect(store.committed.policies.policy(ofType: "Person").maximumAge == .seconds(5))
      #expect(try !filesHoldSecret)
    }
    let store = try open(policies)
    #expect(try store.counts() == ["Product": 1])
    // Parts of an object are stored with it.
    #expect(try store.object(Sample.Product.self, key: "p")?.price.currencyCode == "EUR")
    // The checkout of the configuration file is still transient, and customers are sensitive.
    #expect(store.committed.policies.policy(ofType: "Customer").persistence == .sensitive)
  }

  /// A server that returns null reports nothing about the object, but the argument names it.
  @Test(arguments: [true, false])
  func argumentsOfNullFieldsAreNotWritten(isLinkedBefore: Bool) async throws {
    let node = Sample.buildQuery { $0.node(id: "77aa-secret") { $0.id() } }
    let none = #"{"checkout":null,"product":{"id":"p","title":"Hat"}}"#
    do {
      let store = try open()
      if isLinkedBefore { try await store.write(checkout, response) }
      try await store.write(checkout, none)
      try await store.write(node, #"{"node":null}"#)
      #expect(try !filesHoldSecret)
      #expect(try store.read(checkout).missing.isEmpty)
      #expect(try store.read(checkout).data?.checkout == nil)
      #expect(try store.read(node).missing.isEmpty)
      // A node of a type in the file is there, and another null of the root stays with it.
      try await store.write(
        Sample.buildQuery { $0.node(id: "p") { $0.id() } },
        #"{"node":{"__typename":"Product","id":"p"}}"#)
      #expect(try store.read(checkout).missing.isEmpty)
    }
    #expect(try !filesHoldSecret)
    let store = try open()
    #expect(try store.read(checkout).missingText == ["checkout"])
    #expect(try store.read(node).missingText == ["node"])
    #expect(
      try store.read(Sample.buildQuery { $0.node(id: "p") { $0.id() } }).missing.isEmpty)
    #expect(
      try store.read(Sample.buildQuery { $0.product(id: "p") { $0.title() } }).missing.isEmpty)
  }

  /// The link becomes null then.
  @Test func argumentsAreNotWrittenAfterADeletion() async throws {
    let store = try open()
    try await store.write(checkout, response)
    try await store.write { [secret] in
      try $0.delete(Sample.Checkout.self, key: secret)
    }
    #expect(try !filesHoldSecret)
    #expect(try store.read(checkout).missing.isEmpty)
  }

  @Test func argumentsOfEmptyListsAreNotWritten() async throws {
    let store = try open(["Person": Graph.TypePolicy(persistence: .transient, queryable: [])])
    let search = Sample.buildQuery { $0.search(text: "77aa-secret") { $0.onPerson { $0.id() } } }
    try await store.write(search, #"{"search":[]}"#)
    #expect(try !filesHoldSecret)
    #expect(try store.read(search).missing.isEmpty)
  }

  @Test func fieldsWithArgumentsAndNoObjectsAreMemoryOnly() throws {
    let policies = Policies(
      schema: Sample.schema,
      overrides: ["Product": Graph.TypePolicy(persistence: .transient, queryable: [])])
    func memoryOnly(_ member: String) throws -> Bool {
      let record = try #require(
        JSONDocument(record: Array(#"{"__typename":"Person",\#(member)}"#.utf8)))
      return MemoryOnlyFields(policies: policies).split(record, ofType: "Person") != nil
    }
    #expect(try memoryOnly(#""favourites({\"a\":\"k\"})":null"#))
    #expect(try memoryOnly(#""favourites@here({\"a\":\"k\"})":null"#))
    #expect(try memoryOnly(#""favourites({\"a\":\"k\"})":[[null]]"#))
    #expect(
      try memoryOnly(
        #""favourites({\"a\":\"k\"})":{"__typename":"ProductConnection","nodes":[null]}"#))
    #expect(
      try memoryOnly(#""favourites":{"__typename":"ProductConnection","nodes({\"a\":\"k\"})":[]}"#))
    // Without an argument there is no key, and these fields cannot lead to one.
    #expect(try !memoryOnly(#""favourites":null"#))
    #expect(
      try !memoryOnly(
        #""favourites({\"a\":\"k\"})":{"__typename":"ProductConnection","totalCount":null}"#))
    #expect(try !memoryOnly(#""club({\"a\":\"k\"})":null"#))
    #expect(try !memoryOnly(#""age({\"a\":\"k\"})":null"#))
  }
}
