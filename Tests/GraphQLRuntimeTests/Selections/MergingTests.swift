import Foundation
import GraphQLRuntime
import Testing

/// Fields of one response name (specification: 5.3.2 Field Selection Merging).
@Suite struct MergingTests {
  private static let aliasHint =
    "is selected twice with different fields, arguments or directives; give one of them an alias"
  private static let fragmentHint =
    "is selected with different fields or arguments; give one of them an alias"

  @Test func mergesEqualFieldsInStableOrder() throws {
    let operation = try Shop.buildQuery {
      $0.flags().products(first: 1) { $0.id().image { $0.url() } }
        .flags().products(first: 1) { $0.title().id().image { $0.height().url() } }
    }.operation()
    #expect(
      operation.document
        == "query($first1:Int){flags products(first:$first1){id image{url height} title}}")
  }

  @Test func differentArgumentsAreReportedWithTheirPath() {
    #expect(
      problems(
        Shop.buildQuery { $0.products { $0.image(size: 1) { $0.url() }.image { $0.url() } } })
        == ["products: `image` \(Self.aliasHint)"])
    #expect(
      problems(
        Shop.buildQuery { $0.products(first: 1) { $0.id() }.products(first: 2) { $0.id() } })
        == ["`products` \(Self.aliasHint)"])
  }

  @Test func reportsConflictsOfMergedChildren() {
    let query = Shop.buildQuery {
      $0.products { $0.image { $0.url(width: 1) } }.products { $0.image { $0.url(width: 2) } }
    }
    #expect(problems(query) == ["products.image: `url` \(Self.aliasHint)"])
  }

  @Test func ignoresOrderOfArguments() throws {
    let root = Shop.QueryRootQuery()
    root._field("flags", nil)
    root._arg("a", 1)
    root._arg("a1", 2)
    root._field("flags", nil)
    root._arg("a1", 2)
    root._arg("a", 1)
    #expect(try root.operation().variablesText == #"{"a1":1,"a1_2":2}"#)
  }

  /// Texts that Unicode calls equivalent are different arguments for a server.
  @Test func rawArgumentsAreComparedByTheirBytes() {
    let root = Shop.QueryRootQuery()
    root.addField(field: "flags", args: "(a: \"caf\u{E9}\")")
    root.addField(field: "flags", args: "(a: \"cafe\u{301}\")")
    #expect(problems(root) == ["`flags` \(Self.aliasHint)"])
  }

  @Test func nullAndOmittedArgumentsConflict() {
    let query = Shop.buildQuery {
      $0.null("first").products { $0.id() }.products { $0.id() }
    }
    #expect(problems(query) == ["`products` \(Self.aliasHint)"])
  }

  @Test func differentUploadsConflict() {
    let query = Shop.buildMutation {
      $0.attach(file: .init(.data(.init([1])), fileName: "a"))
        .attach(file: .init(.data(.init([2])), fileName: "a"))
    }
    #expect(problems(query) == ["`attach` \(Self.aliasHint)"])
  }

  @Test func conflictsAreFoundThroughFragmentsAndTypeConditions() {
    let images = Shop.ProductQuery.fragment("Images") { $0.image(size: 1) { $0.url() } }
    #expect(
      problems(Shop.buildQuery { $0.products { $0.spread(images).image(size: 2) { $0.url() } } })
        == ["products.image: `image` \(Self.fragmentHint)"])
    #expect(
      problems(
        Shop.buildQuery {
          $0.node(id: "1") {
            $0.onProduct { $0.image { $0.url(width: 1) } }.onNamed {
              $0.onProduct { $0.image { $0.url(width: 2) } }
            }
          }
        }) == ["node.image.url: `url` \(Self.fragmentHint)"])
  }

  @Test func mutuallyExclusiveObjectsMayDiffer() throws {
    // `title` is the same field; only one of them has `image`.
    let query = Shop.buildQuery {
      $0.search(query: "q") {
        $0.onProduct { $0.title().image(size: 1) { $0.url() } }.onArticle { $0.title() }
      }
    }
    #expect(problems(query).isEmpty)
  }

  @Test func mutuallyExclusiveObjectsRequireSameShapes() {
    let node = Shop.NodeQuery()
    let product: Shop.ProductQuery = node.on("Product")
    product.addField(field: "tags")
    let article: Shop.ArticleQuery = node.on("Article")
    article.addField(field: "tags")
    let root = Shop.QueryRootQuery()
    root.addField(field: "node", args: "(id: 1)", subfields: node)
    #expect(problems(root) == ["node.tags: Article has no field `tags`"])

    let query = Shapes.conflicting()
    #expect(
      problems(query)
        == ["either.size: `size` is Int on Left and String on Right; give one of them an alias"])
  }

  @Test func mergesTenThousandEqualFieldsInLinearTime() throws {
    let clock = ContinuousClock()
    let query = Shop.QueryRootQuery()
    for _ in 0..<10_000 { query.products(first: 1) { $0.id() } }
    var document = ""
    let time = try clock.measure { document = try query.operation().document }
    #expect(document == "query($first1:Int){products(first:$first1){id}}")
    #expect(time < .seconds(10))
  }
}
