import Foundation
import GraphQLRuntime
import Testing

/// Reusable fragments (specification: 2.8 Fragments).
@Suite struct FragmentTests {
  /// A server merges the fields only if the text of their arguments is the same.
  @Test func equalFieldsOfSeveralFragmentsHaveTheSameVariables() throws {
    let first = Shop.ProductQuery.fragment("A") { $0.images(first: 3) { $0.url(width: 9) } }
    let second = Shop.ProductQuery.fragment("B") { $0.images(first: 3) { $0.height() }.id() }
    let query = Shop.buildQuery {
      $0.products(first: 3) {
        $0.spread(first).spread(second).images(first: 3) { $0.url(width: 9) }
      }
    }
    let operation = try query.operation()
    #expect(
      operation.document
        == "query($first1:Int,$first2:Int,$width3:Int){products(first:$first1){...A ...B "
        + "images(first:$first2){url(width:$width3)}}} fragment A on Product{images(first:$first2){url(width:$width3)}} "
        + "fragment B on Product{images(first:$first2){height} id}")
    #expect(
      String(decoding: operation.variables, as: UTF8.self) == #"{"first1":3,"first2":3,"width3":9}"#
    )
  }

  @Test func equalFieldsOfTypeConditionsHaveTheSameVariables() throws {
    let query = Shop.buildQuery {
      $0.node(id: "1") {
        $0.onProduct { $0.images(first: 3) { $0.url() } }
          .onProduct { $0.images(first: 3) { $0.height() } }
      }
    }
    let document = try query.operation().document
    #expect(document.contains("query($id1:ID!,$first2:Int)"))
  }

  @Test func fragmentIsPrintedOnceAfterTheOperation() throws {
    let card = Shop.ProductQuery.fragment("Card") { $0.id().images(first: 3) { $0.url() } }
    let query = Shop.buildQuery {
      $0.products(first: 1) { $0.spread(card) }.node(id: "2") { $0.onProduct { $0.spread(card) } }
    }
    #expect(
      try query.operation().document
        == "query($first1:Int,$id2:ID!,$first3:Int){products(first:$first1){...Card} "
        + "node(id:$id2){__typename ...on Product{...Card}}} "
        + "fragment Card on Product{id images(first:$first3){url}}")
    #expect(
      query.description == """
        {
          products(first: 1) {
            ...Card
          }
          node(id: "2") {
            __typename
            ... on Product {
              ...Card
            }
          }
        }

        fragment Card on Product {
          id
          images(first: 3) {
            url
          }
        }
        """)
    #expect(card.name == "Card")
  }

  @Test func spreadsInterfaceFragmentInObject() throws {
    let node = Shop.NodeQuery.fragment("NodeID") { $0.id() }
    let operation = try Shop.buildQuery { $0.products { $0.spread(node).title() } }.operation()
    #expect(operation.document == "{products{...NodeID title}} fragment NodeID on Node{id}")
    let data = try operation.data(#"{"products":[{"id":"7","title":null}]}"#)
    #expect(data.products[0].id == "7")
  }

  @Test func impossibleSpreadIsRefused() {
    let article = Shop.ArticleQuery.fragment("Text") { $0.body() }
    #expect(
      problems(Shop.buildQuery { $0.products { $0.spread(article) } })
        == ["products: fragment `Text` is on Article, which never applies to Product"])
    let named = Shop.NamedQuery.fragment("Named") { $0.id() }
    #expect(
      problems(Shop.buildQuery { $0.search(query: "") { $0.onArticle { $0.spread(named) } } })
        == ["search: fragment `Named` is on Named, which never applies to Article"])
  }

  @Test func impossibleTypeConditionIsRefused() {
    let product = Shop.ProductQuery()
    let article: Shop.ArticleQuery = product.on("Article")
    article.id()
    let root = Shop.QueryRootQuery()
    root.addField(field: "products", subfields: product)
    #expect(problems(root) == ["products: a selection on Article, which never applies to Product"])
  }

  @Test func rejectsInvalidFragmentNames() {
    for name in ["", "on", "1", "a b", "é"] {
      let fragment = Shop.ProductQuery.fragment(name) { $0.id() }
      #expect(
        problems(Shop.buildQuery { $0.products { $0.spread(fragment) } }) == [
          "...\(name): `\(name)` is not a fragment name: use letters, digits and `_`, but not `on`"
        ])
    }
  }

  @Test func rejectsDifferentFragmentsWithSameName() {
    let first = Shop.ProductQuery.fragment("Card") { $0.id() }
    let second = Shop.ProductQuery.fragment("Card") { $0.title() }
    let nested = Shop.ProductQuery.fragment("Outer") { $0.spread(second) }
    let message = "two different fragments have the name `Card`"
    #expect(
      problems(Shop.buildQuery { $0.products { $0.spread(first).spread(second) } })
        == ["products: \(message)"])
    #expect(
      problems(Shop.buildQuery { $0.products { $0.spread(first).spread(nested) } })
        == ["...Outer: \(message)"])
  }

  @Test func printsNestedFragments() throws {
    let image = Shop.ImageQuery.fragment("Picture") { $0.url(width: 1) }
    let card = Shop.ProductQuery.fragment("Card") { $0.image { $0.spread(image) } }
    let operation = try Shop.buildQuery { $0.products { $0.spread(card) } }.operation()
    #expect(
      operation.document
        == "query($width1:Int){products{...Card}} fragment Card on Product{image{...Picture}} "
        + "fragment Picture on Image{url(width:$width1)}")
    let data = try operation.data(#"{"products":[{"image":{"url":"/a"}}]}"#)
    #expect(data.products[0].image?.url.absoluteString == "/a")
  }

  @Test func queryReportsProblemsOfFragments() {
    let card = Shop.ProductQuery.fragment("Card") {
      $0.image { _ in }.null("size").title()
    }
    #expect(
      problems(Shop.buildQuery { $0.products { $0.spread(card).spread(card) } }) == [
        "...Card.image: no field is selected; select at least one field",
        "...Card.title: there is no argument `size` to send as null",
      ])
  }

  @Test func fragmentRequiresType() {
    let fragment = GraphQL.AbstractQuery.fragment("Raw") { $0.addField(field: "id") }
    let query = Shop.buildQuery { $0.products { $0.spread(fragment) } }
    #expect(
      problems(query) == [
        "...Raw: a fragment is made from a generated builder class, which names its type",
        "products: fragment `Raw` belongs to another schema",
      ])
  }

  @Test func fragmentOfAnotherSchemaIsRefused() {
    let foreign = Shapes.LeftQuery.fragment("Foreign") { $0.addField(field: "size") }
    #expect(
      problems(Shop.buildQuery { $0.products { $0.spread(foreign) } })
        == ["products: fragment `Foreign` belongs to another schema"])
  }

  @Test func printsDoublingFragmentsQuickly() throws {
    let time = try ContinuousClock().measure {
      var fragment = Shop.ProductQuery.fragment("F0") { $0.image { $0.url() } }
      for level in 1...40 {
        let inner = fragment
        fragment = Shop.ProductQuery.fragment("F\(level)") { $0.spread(inner).spread(inner).id() }
      }
      let operation = try Shop.buildQuery { $0.products { $0.spread(fragment) } }.operation()
      #expect(operation.document.hasSuffix("fragment F0 on Product{image{url}}"))
      let data = try operation.data(#"{"products":[{"id":"1","image":null}]}"#)
      #expect(data.products[0].image == nil)
      #expect(!data.products[0].has(\.title))
    }
    #expect(time < .seconds(5))
  }

  @Test func printsDoublingFieldsInFragmentsQuickly() throws {
    let time = try ContinuousClock().measure {
      var fragment = Tree.NodeQuery.fragment("F0") { $0.addField(field: "value") }
      for level in 1...40 {
        let inner = fragment
        fragment = Tree.NodeQuery.fragment("F\(level)") { query in
          for side: StaticString in ["left", "right"] {
            query._field(side, nil)
            query._child { (child: Tree.NodeQuery) in child.spread(inner) }
          }
        }
      }
      let root = Tree.NodeQuery()
      root.spread(fragment)
      let document = try root.operation().document
      #expect(document.contains("fragment F1 on Node{left{...F0} right{...F0}}"))
    }
    #expect(time < .seconds(5))
  }
}
