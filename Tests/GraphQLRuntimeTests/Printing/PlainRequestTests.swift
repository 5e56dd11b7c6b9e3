@testable import GraphQLRuntime
import Testing

/// Plain selections are printed without merging, others are merged first; the result is the same.
@Suite struct PlainRequestTests {
  /// The result of merging and printing a query.
  private func merged(_ query: Shop.QueryRootQuery) -> (document: String, variables: [UInt8]) {
    var printer = GraphQL.DocumentPrinter(.request, schema: Shop.schema)
    printer.print(.query, query.freeze(.query).content.selectionSet, header: query.header)
    return (printer.document, printer.variables)
  }

  private static let queries: [@Sendable () -> Shop.QueryRootQuery] = [
    { Shop.buildQuery { $0.flags() } },
    { Shop.buildQuery { $0.products(first: 2) { $0.id().title().tags() } } },
    { Shop.buildQuery { $0.__typename().products { $0.__typename().id() } } },
    { Shop.buildQuery(named: "N") { $0.node(id: "é\"") { $0.id() } } },
    { Shop.buildQuery(directives: [.inContext(country: .green)]) { $0.flags(a: 1, a1: 2) } },
    {
      Shop.buildQuery {
        $0.products { $0.image(size: 1) { $0.url() }.image(alias: "b", size: 2) { $0.url() } }
          .products(alias: "c") { $0.images(first: 1, ids: ["1"]) { $0.height() } }
      }
    },
    { Shop.buildQuery { $0.product(by: .handle("h")) { $0.related { $0.id() }.title() } } },
  ]

  @Test(arguments: queries.indices)
  func plainDocumentEqualsMergedDocument(_ index: Int) throws {
    let query = Self.queries[index]()
    #expect(query.plainOperation() != nil)
    let operation = try query.operation()
    #expect(operation.document == merged(query).document)
    #expect(operation.variables == merged(query).variables)
  }

  @Test func laterSelectionsDoNotChangePrintedOperation() throws {
    var child: Shop.ProductQuery?
    let query = Shop.buildQuery {
      $0.products {
        child = $0
        $0.id()
      }
    }
    let operation = try query.operation()
    child?.title()
    let sets = operation.content.selectionSet
    guard case .field(let products)? = sets.entries.first else { throw NoData() }
    #expect(products.selectionSet?.entries.count == 1)
    #expect(try operation.data(#"{"products":[{"id":"1"}]}"#).products[0].id == "1")
    #expect(try query.operation().document == "{products{id title}}")
  }

  @Test func laterArgumentsDoNotChangePrintedOperation() throws {
    let query = Shop.QueryRootQuery()
    query._field("flags", nil)
    query._arg("a", 1)
    let operation = try query.operation()
    query._arg("a1", 2)
    guard case .field(let flags)? = operation.content.selectionSet.entries.first else {
      throw NoData()
    }
    #expect(flags.arguments.map(\.name) == ["a"])
    #expect(try query.operation().document.hasSuffix("{flags(a:$a1,a1:$a1_2)}"))
  }

  @Test func nameIndexComparesNamesByBytes() {
    let names = (0..<200).map { "f\($0)" }
    let index = GraphQL.NameIndex(names)
    for (position, name) in names.enumerated() {
      let found = index.position(of: name)
      #expect(found == position)
    }
    for name in ["", "f", "f200", "f1 ", "F1", "ff1"] {
      let found = index.position(of: name)
      #expect(found == nil)
    }
  }

  /// The author of a schema could choose names that collide, so that every search would compare all
  /// of them.
  @Test(arguments: [
    ("aaaaaaaa", "bbbbbbbb"), ("a", ""), ("aaaaaaaabbbbbbbb", ""),
    ("aaaaaaaaaaaaaaaabbbbbbbb", "bbbbbbbbbbbbbbbbbbbb"),
  ])
  func nameIndexDistributesSimilarNames(_ beginning: String, _ end: String) {
    let names = (0..<4096).map { "\(beginning)\(10_000_000 + $0)\(end)" }
    var taken: [Int: Int] = [:]
    for name in names {
      let slot = name.withBytes { GraphQL.NameIndex.hash($0, seed: 7) } % (2 * names.count)
      taken[slot, default: 0] += 1
    }
    // A fifth of random names share a slot, and hardly ever eight of them.
    #expect(taken.values.allSatisfy { $0 < 8 })
    #expect(taken.count > names.count * 3 / 4)
    let index = GraphQL.NameIndex(names)
    for (position, name) in names.enumerated() {
      let found = index.position(of: name)
      #expect(found == position)
    }
  }
}
