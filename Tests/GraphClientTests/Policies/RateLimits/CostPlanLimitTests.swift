import GraphQLRuntime
import GraphRateLimits
import StorefrontAPI
import Testing

@testable import GraphClient

/// Documents and variables that are not of this world.
struct CostPlanLimitTests {
  private let all: [Graph.CostRules] = [.shopify, .gitHub, .fieldCost, .typeCost]

  private func plan(_ document: String, _ rules: Graph.CostRules) -> (any Graph.CostPlan)? {
    // The runtime and the generator write no shorthand.
    let document = document.hasPrefix("{") ? "query \(document)" : document
    return rules.plan(for: document, in: Storefront.schema)
  }

  @Test func nestedSizesEndAtALimit() throws {
    var document = "id"
    for _ in 0..<20 {
      document =
        "collections(first: 2147483647) { nodes { products(first: 2147483647) { nodes { \(document) } } } }"
    }
    document = "{ products(first: 2147483647) { nodes { \(document) } } }"
    for rules in all {
      let plan = try #require(self.plan(document, rules))
      let cost = plan.cost([])
      #expect(cost.isFinite && cost <= 1e12)
    }
  }

  @Test func documentsThatAreTooLargeHaveNoPlan() {
    let fields = (0..<20_000).map { "f\($0): shop { name }" }.joined(separator: " ")
    let nested =
      "{ shop { " + String(repeating: "... { ", count: 120) + "name"
      + String(repeating: "} ", count: 122)
    // Each fragment spreads the next one twice.
    var fragments = "{ ...F0 }"
    for number in 0..<40 {
      fragments += """
         fragment F\(number) on QueryRoot { a\(number): shop { name } ...F\(number + 1) @include(if: $a\(number))
        ...F\(number + 1) @skip(if: $b\(number)) }
        """
    }
    fragments += " fragment F40 on QueryRoot { shop { name } }"
    for rules in all {
      for document in ["{ \(fields) }", nested, fragments] { #expect(plan(document, rules) == nil) }
    }
  }

  @Test(arguments: [
    "", "{", "{ shop", "query", "fragment F on Shop { name }",
    "{ ...F } fragment F on QueryRoot { ...F }",
    "{ ...Missing }", "{ unknown { name } }", "{ shop @include { name } }",
    "subscription { unknown }",
    "{ shop { ...F } } fragment F on Shop { ...G } fragment G on Shop { ...F }",
    "{ products(first: {a: 1}) { nodes { ...P } } } fragment P on Product { collections { nodes { products { nodes { ...P } } } } }",
  ])
  func oddDocumentsDoNotTrap(document: String) {
    for rules in all {
      if let cost = plan(document, rules)?.cost([]) { #expect(cost >= 0 && cost.isFinite) }
    }
  }

  @Test(arguments: ["", "x", "[1]", "{}", #"{"n":{}}"#, #"{"n":"a"}"#, #"{"n":-1e999}"#])
  func oddVariablesDoNotTrap(variables: String) throws {
    for rules in all {
      let plan = try #require(
        self.plan(
          "query ($n: Int) { products(first: $n) @include(if: $n) { nodes { id } } }", rules))
      let cost = plan.cost(Array(variables.utf8))
      #expect(cost >= 0 && cost.isFinite)
    }
  }
}
