import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// One random program: responses, mutations with expected changes that end in any order, and logouts, in a store
/// and in a model.
struct ChangeProgram {
  struct Difference: Error {}

  private struct Pending {
    /// nil for a queued operation.
    let id: GraphQL.OptimisticChangeID?
    let number: Int64
    let changes: [ChangeModel.Change]
  }

  private let seed: UInt64
  private let kind: StoreKind
  private let store: Graph.Store
  private var random: SeededGenerator
  private var model: ChangeModel
  /// The products of the list on the server.
  private var server = ["p0", "p1", "p2", "p3", "p4"]
  /// Those of queued operations, then those of clients, each in their order.
  private var queued: [Pending] = []
  private var expected: [Pending] = []
  private var counter: Int64 = 0
  private var observer: Graph.ConnectionStates<Sample.ProductConnection>.Iterator
  private var observed: [String]?

  /// - Parameter seed: even for a program with relations that have an inverse.
  init(seed: UInt64) async throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    kind = seed % 3 == 0 ? .memory : .file
    let hasInverses = seed % 2 == 0
    model = ChangeModel(hasInverses: hasInverses)
    store = try await kind.makeWithOverlays(
      .init(
        policies: hasInverses ? ["Club": Graph.TypePolicy(inverses: ["persons": "club"])] : [:]))
    observer = try store.states(of: Sample.Query.self, key: "", connection: \.products)
      .makeAsyncIterator()
    _ = try await observer.next()
    for person in ["a", "b", "c"] {
      try await write(#"{"id":"\#(person)","name":"\#(person)"}"#, as: Sample.Person.self)
      model.persons[person] = .some(nil)
    }
    for club in ["x", "y"] { try await respond(club) }
    for id in server { try await setTitle(of: id) }
    try await respondFirst()
  }

  mutating func run(steps: Int) async throws {
    for step in 0..<steps {
      switch Int.random(in: 0..<24, using: &random) {
      case 0..<8: try await begin()
      case 8..<13: try await end(succeeds: Bool.random(using: &random))
      case 13, 14: try await respondFirst()
      case 15..<18: try await respondNext()
      case 18:
        if let id = model.titles.keys.sorted().randomElement(using: &random) {
          try await setTitle(of: id)
        }
      case 19: try await respond(Bool.random(using: &random) ? "x" : "y")
      case 20: server.shuffle(using: &random)
      case 21: try await deleteOnServer()
      case 22 where Int.random(in: 0..<4, using: &random) == 0: try await logout()
      default: try await end(succeeds: true)
      }
      try await compare("step \(step)")
    }
    while !expected.isEmpty || !queued.isEmpty {
      try await end(succeeds: Bool.random(using: &random))
      try await compare("the end")
    }
    #expect(!store.committed.isExpecting, "seed \(seed)")
    guard kind == .file else { return }
    for table in ["overlay_base", "overlay_patch"] {
      let rows = try store.rows("SELECT entity FROM \(table)", []) { $0.text(0) }
      #expect(rows == [], "seed \(seed): \(table) has rows")
    }
  }

  // MARK: Responses

  private func write(_ json: String, as type: GraphQL.AbstractResponse.Type) async throws {
    try await store.write(json: Array(json.utf8), as: type)
  }

  private static func query(after cursor: String?) -> Sample.QueryQuery {
    Sample.buildQuery {
      $0.products(first: 2, after: cursor) {
        $0.edges { $0.cursor().node { $0.id() } }.pageInfo { $0.hasNextPage().endCursor() }
      }
    }
  }

  /// A page of the server's list.
  private func page(from start: Int) -> ChangeModel.Page {
    let ids = server.dropFirst(start).prefix(2)
    return ChangeModel.Page(
      entries: ids.map { ChangeModel.Entry(id: $0, cursor: "c\($0)") },
      hasNext: start + ids.count < server.count)
  }

  private func store(_ page: ChangeModel.Page, after cursor: String?) async throws {
    let edges = page.entries.map { #"{"cursor":"\#($0.cursor)","node":{"id":"\#($0.id)"}}"# }
    let end = page.entries.last.map { "\"\($0.cursor)\"" } ?? "null"
    try await store.write(
      Self.query(after: cursor),
      #"""
      {"products":{"edges":[\#(edges.joined(separator: ","))],
      "pageInfo":{"hasNextPage":\#(page.hasNext),"endCursor":\#(end)}}}
      """#)
  }

  private mutating func respondFirst() async throws {
    let page = page(from: 0)
    try await store(page, after: nil)
    model.receiveFirst(page)
  }

  private mutating func respondNext() async throws {
    guard let cursor = model.endCursor, model.pages != nil,
      let place = server.firstIndex(where: { "c\($0)" == cursor })
    else { return }
    let page = page(from: place + 1)
    // An object that has moved would be there twice; ChangingListTests has such lists.
    let known = Set((model.pages ?? []).flatMap(\.entries).map(\.id))
    if page.entries.contains(where: { known.contains($0.id) }) { return }
    try await store(page, after: cursor)
    model.receiveNext(page)
  }

  private mutating func setTitle(of id: String) async throws {
    let title = randomTitle()
    try await write(#"{"id":"\#(id)","title":"\#(title)"}"#, as: Sample.Product.self)
    model.titles[id] = title
  }

  private mutating func respond(_ club: String) async throws {
    let list = model.persons.keys.sorted().filter { _ in Bool.random(using: &random) }
    let persons = list.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
    try await write(#"{"id":"\#(club)","persons":[\#(persons)]}"#, as: Sample.Club.self)
    model.receive(club, list)
  }

  private mutating func deleteOnServer() async throws {
    guard server.count > 2, let id = server.randomElement(using: &random) else { return }
    server.removeAll { $0 == id }
    try await store.write { try $0.delete(Sample.Product.self, key: id) }
    model.store([.deleteProduct(id)])
  }

  private mutating func logout() async throws {
    try await store.logout()
    (queued, expected) = ([], [])
    model.pages = nil
    model.endCursor = nil
  }

  // MARK: Mutations

  private mutating func begin() async throws {
    counter += 1
    let isQueued = Bool.random(using: &random)
    let changes = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in
      randomChange(isQueued: isQueued)
    }
    guard !changes.isEmpty else { return }
    let change = Graph.StoreChange(changes.map(\.change))
    if isQueued {
      let number = counter
      try await store.write {
        try $0.overlay(change, on: GraphQL.EntityKey(typeName: "Club", key: "x"), by: number)
      }
      queued.append(Pending(id: nil, number: number, changes: changes))
    } else {
      let id = try store.show(change, in: store.generation)
      expected.append(Pending(id: id, number: counter, changes: changes))
    }
  }

  private mutating func end(succeeds: Bool) async throws {
    let all = queued + expected
    guard let pending = all.randomElement(using: &random) else { return }
    queued.removeAll { $0.number == pending.number }
    expected.removeAll { $0.number == pending.number }
    let change = Graph.StoreChange(pending.changes.map(\.change))
    if let id = pending.id {
      if succeeds {
        let operation = try Sample.buildMutation { $0.renameClub(id: "x", name: "n") { $0.id() } }
          .operation()
        try await store.store(
          operation.response(from: Array(#"{"data":{"renameClub":{"id":"x"}}}"#.utf8)),
          of: operation, in: store.generation, applying: change, inPlaceOf: id)
      } else {
        store.hide(id)
      }
    } else {
      // The response has the objects, and the lists follow.
      let objects = Graph.StoreChange(pending.changes.filter { !$0.isEdit }.map(\.change))
      try await store.write { transaction in
        if succeeds { try transaction.apply(objects) }
        try transaction.removeOverlay(of: pending.number, isExecuted: succeeds)
      }
    }
    guard succeeds else { return }
    model.store(
      pending.id != nil
        ? pending.changes
        : pending.changes.filter { !$0.isEdit } + pending.changes.filter(\.isEdit))
    for case .editProducts(let id, let place) in pending.changes where model.titles[id] != nil {
      server.removeAll { $0 == id }
      if place != .removed { server.insert(id, at: place == .start ? 0 : server.count) }
    }
    for case .deleteProduct(let id) in pending.changes { server.removeAll { $0 == id } }
  }

  private mutating func randomTitle() -> String {
    String((0..<2).map { _ in "abcdefgh".randomElement(using: &random) ?? "a" })
  }

  private mutating func randomChange(isQueued: Bool) -> ChangeModel.Change? {
    let pending = isQueued ? queued : queued + expected
    var seen = model
    for change in pending.flatMap(\.changes) { seen.apply(change) }
    let product = seen.titles.keys.sorted().randomElement(using: &random) ?? "p0"
    let person = seen.persons.keys.sorted().randomElement(using: &random)
    let club = Bool.random(using: &random) ? "x" : "y"
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: return .setTitle(product, randomTitle())
    case 2:
      counter += 1
      return .addProduct("n\(counter)", randomTitle())
    case 3: return .deleteProduct(product)
    case 4, 5, 6: return .editProducts(product, Bool.random(using: &random) ? .start : .end)
    case 7, 8:
      return .editProducts(
        product, .ordered(by: "title", isDescending: Bool.random(using: &random)))
    case 9: return .editProducts(product, .removed)
    case 10:
      counter += 1
      return .addPerson("n\(counter)", club: Bool.random(using: &random) ? club : nil)
    case 11: return person.map { .move(person: $0, club: Bool.random(using: &random) ? club : nil) }
    case 12: return person.map { .deletePerson($0) }
    default:
      let place = [ListEdit.Place.start, .end, .removed].randomElement(using: &random) ?? .end
      return person.map { .editClub(club, person: $0, place) }
    }
  }

  // MARK: Comparing

  private mutating func compare(_ moment: String) async throws {
    var seen = model
    let changes = (queued + expected).flatMap(\.changes)
    for change in changes { seen.apply(change) }
    let place = "seed \(seed), \(moment)"
    let products = seen.products(after: changes)
    try check(products == nil ? nil : products?.all, connection(), place)
    if let products { try check(products.first, try firstPage(), "\(place): first page") }
    let titles = try store.fetch(Sample.Product.self).all().map { "\($0.id.rawValue)=\($0.title)" }
    try check(seen.titles.map { "\($0)=\($1)" }.sorted(), titles.sorted(), place)
    let late = try store.fetch(Sample.Product.self).filter(\.title >= "d").all().map(\.id.rawValue)
    try check(seen.titles.filter { $0.value >= "d" }.keys.sorted(), late.sorted(), place)
    try check(seen.titles.count, try store.count(of: Sample.Product.self), place)
    for (club, persons) in seen.clubs {
      let list = try store.object(Sample.Club.self, key: club)?.persons.map(\.id.rawValue)
      try check(persons, list, "\(place): club \(club)")
    }
    try check(
      seen.persons.keys.sorted(),
      try store.fetch(Sample.Person.self).all().map(\.id.rawValue).sorted(),
      place)
    for (person, club) in seen.persons {
      let object = try #require(try store.object(Sample.Person.self, key: person))
      try check(club, try? object.read(\.club)?.id.rawValue, "\(place): person \(person)")
    }
    guard observed != products?.all else { return }
    let state = try #require(try await observer.next())
    observed = state?.edges.map(\.node.id.rawValue)
    try check(products?.all, observed, "\(place): observer")
  }

  private func connection() throws -> [String]? {
    guard let root = try store.object(Sample.Query.self, key: ""), root.has(\.products) else {
      return nil
    }
    return root.products.edges.map(\.node.id.rawValue)
  }

  private func firstPage() throws -> [String]? {
    try store.read(Self.query(after: nil)).data?.products.edges.map(\.node.id.rawValue)
  }

  private func check<Value: Equatable>(_ model: Value?, _ store: Value?, _ place: String) throws {
    #expect(store == model, "\(place)")
    if store != model { throw Difference() }
  }
}

extension ChangeModel.Change {
  /// Whether it changes a list, and no object.
  var isEdit: Bool {
    switch self {
    case .editProducts, .editClub: true
    default: false
    }
  }

  /// The change as the store takes it.
  var change: Graph.StoreChange {
    func key(_ type: String, _ id: String) -> GraphQL.EntityKey {
      GraphQL.EntityKey(typeName: type, key: id)
    }
    func club(_ id: String?) -> GraphQL.JSON { ["club": id.map { ["id": .string($0)] } ?? nil] }
    func edit(
      _ object: GraphQL.EntityKey, _ place: ListEdit.Place, _ list: Graph.StoredList
    ) -> Graph.StoreChange {
      switch place {
      case .start: .prepend(object, to: list)
      case .end: .append(object, to: list)
      case .removed: .remove(object, from: list)
      case .ordered(let path, let isDescending):
        .insert(object, into: list, orderedBy: path, descending: isDescending)
      }
    }
    switch self {
    case .setTitle(let id, let title): return .update(key("Product", id), ["title": .string(title)])
    case .addProduct(let id, let title):
      return .create(key("Product", id), ["title": .string(title)])
    case .deleteProduct(let id): return .delete(key("Product", id))
    case .editProducts(let id, let place):
      return edit(key("Product", id), place, .list(\Sample.Query.products))
    case .move(let person, let id): return .update(key("Person", person), club(id))
    case .addPerson(let person, let id): return .create(key("Person", person), club(id))
    case .deletePerson(let person): return .delete(key("Person", person))
    case .editClub(let club, let person, let place):
      return edit(key("Person", person), place, .list("persons", of: key("Club", club)))
    }
  }
}
