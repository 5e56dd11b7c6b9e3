@testable import GraphQLRuntime
import Testing

/// Builders that are used in other ways than in the closure that gets them.
@Suite struct BuildingTests {
  @Test func aBuilderThatItsClosureHasStoredStaysPartOfTheQuery() throws {
    var product: Shop.ProductQuery?
    var image: Shop.ImageQuery?
    let query = Shop.buildQuery {
      $0.flags()
        .products {
          product = $0
          $0.id().image {
            image = $0
            $0.url()
          }
        }
    }
    #expect(try query.operation().document == "{flags products{id image{url}}}")
    image?.height()
    product?.title().related { $0.id() }
    #expect(
      try query.operation().document
        == "{flags products{id image{url height} title related{__typename id}}}")
  }

  @Test func aClosureMayUseTheBuildersAroundIt() throws {
    let query = Shop.buildQuery { root in
      root.products { product in
        product.id().related { related in
          related.id()
          product.image { $0.url() }
          root.flags().products(alias: "b") { $0.related { $0.id() } }
        }
        product.title()
      }
      .products(alias: "c") { $0.id() }
    }
    #expect(
      try query.operation().document
        == "{products{id related{__typename id} image{url} title} flags "
        + "products__b:products{related{__typename id}} products__c:products{id}}")
  }

  @Test func anOperationIsNotMadeInAClosureForItsSelections() {
    var found: [String] = []
    _ = Shop.buildQuery { root in
      root.products {
        $0.id()
        found = problems(root)
      }
    }
    #expect(found == ["a closure of this builder is still running; create the operation after it"])
  }

  @Test func anOperationIsNotMadeInTheClosureOfItsRoot() throws {
    var found: [[String]] = []
    var descriptions: [String] = []
    let query = Shop.buildQuery { root in
      found.append(problems(root))
      root.products { $0.id() }
      found.append(problems(root))
      descriptions.append(root.description)
      root.node(id: "1") { $0.id() }
    }
    let problem = "a closure of this builder is still running; create the operation after it"
    #expect(found == [[problem], [problem]])
    #expect(descriptions == ["{\n  products {\n    id\n  }\n}"])
    #expect(try query.operation().document.contains("node(id:"))
  }

  @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 24, 25, 40])
  func selectionsOfAnyNumber(_ count: Int) throws {
    func query(_ count: Int) -> Tree.NodeQuery {
      let query = Tree.NodeQuery()
      for place in 0..<count {
        query._field(place % 2, "a\(place)")
        query._child { (child: Tree.NodeQuery) in child._field(2, nil) }
      }
      return query
    }
    let expected = (0..<count).map { place in
      let name = place % 2 == 0 ? "left" : "right"
      return "\(name)__a\(place):\(name){value}"
    }
    #expect(try query(count).operation().document == "{" + expected.joined(separator: " ") + "}")
  }

  @Test(arguments: [1, 8, 9, 16, 17, 33, 100])
  func codesAreReadInOrder(_ count: Int) {
    var codes = GraphQL.SelectionCodes()
    var words: [UInt64] = []
    for place in 0..<count {
      if let full = codes.append(UInt8(place)) { words.append(full) }
    }
    #expect(codes.count == count)
    #expect((0..<count).allSatisfy { codes.code(at: $0, words) == UInt8($0) })
  }

  @Test func longSelectionsDiffer() throws {
    func document(_ last: Int) throws -> String {
      let query = Long.NodeQuery()
      for position in 0..<20 { query._field(position, nil) }
      query._field(last, nil)
      return try query.operation().document
    }
    let start = "{" + (0..<20).map { "f\($0)" }.joined(separator: " ")
    for last in [30, 31, 30, 127, 128, 253, 254, 255, 256, 299, 31] {
      #expect(try document(last) == "\(start) f\(last)}")
    }
    func other(_ first: Int) throws -> String {
      let query = Long.NodeQuery()
      query._field(first, nil)
      for position in 0..<20 { query._field(position, nil) }
      return try query.operation().document
    }
    #expect(try other(40).hasPrefix("{f40 f0 "))
    #expect(try other(41).hasPrefix("{f41 f0 "))
  }
}
