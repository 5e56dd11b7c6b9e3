import Foundation
import GraphClient
import GraphJSON
import StorefrontAPI

// Reads requests, one a line, and prints the costs of each by all rules; `null` if there is no plan.

let rules: [Graph.CostRules] = [.shopify, .gitHub, .fieldCost, .typeCost]
while let line = readLine() {
  guard let request = try? JSON(parsing: Array(line.utf8)),
    case .string(let document)? = request["document"]
  else {
    print("null")
    continue
  }
  var writer = JSONWriter()
  writer.value(request["variables"] ?? .object(JSON.Object()))
  let variables = writer.finish()
  let costs = rules.map { rules in
    Graph.CostPlan(document, in: Storefront.schema, rules: rules)?.cost(variables)
  }
  print("[" + costs.map { $0.map { "\($0)" } ?? "null" }.joined(separator: ",") + "]")
}
