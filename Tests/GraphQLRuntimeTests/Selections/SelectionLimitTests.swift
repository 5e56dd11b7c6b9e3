@testable import GraphQLRuntime
import Testing

/// Queries without an end, or of extreme size.
@Suite struct SelectionLimitTests {
  @Test func rejectsBuilderThatContainsItself() {
    let loop = GraphQL.AbstractQuery()
    loop.addField(field: "left", subfields: loop)
    loop.addField(field: "right", subfields: loop)
    let root = Tree.NodeQuery()
    root.addField(field: "left", subfields: loop)
    #expect(
      problems(root) == [
        "left.left: a selection set contains itself", "left.right: a selection set contains itself",
      ])
    #expect(loop.description.hasPrefix("{\n  left {"))
    loop.cutAttached()
  }

  @Test func rejectsBuilderThatContainsItselfIndirectly() {
    let first = Tree.NodeQuery()
    let second = Tree.NodeQuery()
    first.addField(field: "left", subfields: second)
    second.addField(field: "left", subfields: first)
    #expect(problems(first) == ["left.left: a selection set contains itself"])
    first.cutAttached()
  }

  @Test func rejectsTooDeepSelections() throws {
    #expect(
      try Tree.chain(200).operation().document.hasSuffix(
        "left{value" + String(repeating: "}", count: 200)))
    let found = problems(Tree.chain(201))
    #expect(found.count == 1)
    #expect(found[0].hasSuffix("left: selections are nested more than 200 levels deep"))
    for levels in [200, 201, 5_000] {
      let stored = Tree.NodeQuery()
      Tree.extend(stored, by: levels)
      #expect(problems(stored).count == (levels > 200 ? 1 : 0))
    }
    #expect(problems(Tree.chain(1_000)).count == 1)
  }

  @Test func depthCountsFragments() {
    func root(_ levels: Int) -> Tree.NodeQuery {
      let query = Tree.NodeQuery()
      let inner = Tree.NodeQuery.fragment("Half") { Tree.extend($0, by: 100) }
      Tree.extend(query, by: levels).spread(inner)
      return query
    }
    #expect(problems(root(100)).isEmpty)
    #expect(problems(root(101)).count == 1)
  }

  @Test func limitsSelectionsOfSharedBuilders() {
    var query = Tree.NodeQuery()
    query.addField(field: "value")
    for _ in 0..<40 {
      let outer = Tree.NodeQuery()
      outer.addField(field: "left", subfields: query)
      outer.addField(field: "right", subfields: query)
      query = outer
    }
    let found = problems(query)
    #expect(found.count == 1)
    #expect(found[0].hasSuffix("the document has more than 200000 selections"))
  }

  @Test func emptySelectionsAreReported() {
    let message = "no field is selected; select at least one field"
    #expect(problems(Shop.buildQuery { _ in }) == [message])
    #expect(problems(Shop.buildQuery { $0.products { _ in } }) == ["products: \(message)"])
    #expect(
      problems(Shop.buildQuery { $0.node(id: "") { $0.onProduct { _ in } } }) == [
        "node: \(message)"
      ])
  }

  @Test func rawFieldsAreCheckedAgainstSchema() {
    let root = Shop.QueryRootQuery()
    root.addField(field: "shop")
    root.addField(field: "products")
    root.addField(field: "flags", subfields: Shop.ProductQuery().id())
    #expect(
      problems(root) == [
        "shop: QueryRoot has no field `shop`",
        "products: `products` is of type [Product!]!; select at least one of its fields",
        "flags: `flags` is of type Boolean, which has no fields to select",
      ])
  }

  @Test func allProblemsAreReported() {
    let query = Shop.buildQuery(named: "1") {
      $0.flags(alias: "_").null("x").products { $0.image { _ in } }.include(if: true)
    }
    #expect(problems(query).count == 5)
  }

  @Test func subscriptionsHaveOneRootField() {
    let message = "a subscription selects exactly one root field"
    func text(_ build: (Shop.FeedQuery) -> Void) -> [String] {
      problems(Shop.buildSubscription(build))
    }
    #expect(text { $0.changed(id: "1") { $0.id() }.removed(id: "1") { $0.id() } } == [message])
    #expect(
      text { $0.changed(id: "1") { $0.id() }.changed(alias: "b", id: "1") { $0.id() } } == [message]
    )
    #expect(text { $0.__typename() } == [message])
    #expect(text { $0.changed(id: "1") { $0.id() }.changed(id: "1") { $0.title() } }.isEmpty)
    #expect(
      text { $0.include(if: true).changed(id: "1") { $0.id() } }
        == ["the root field of a subscription cannot have @include or @skip"])
    let both = Shop.FeedQuery.fragment("Both") {
      $0.changed(id: "1") { $0.id() }.removed(id: "2") { $0.id() }
    }
    #expect(text { $0.spread(both) } == [message])
  }
}

extension GraphQL.AbstractQuery {
  /// Releases the builders that were attached, so that a loop of builders can be freed.
  fileprivate func cutAttached() { extras?.attached = [:] }
}
