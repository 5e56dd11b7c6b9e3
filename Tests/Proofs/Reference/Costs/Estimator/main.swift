import Foundation
import GraphClient
import GraphJSON
import GraphRateLimits
import StorefrontAPI

// Reads requests, one a line, and prints the costs of each by all rules; `null` if there is no plan. With
// `--measure`, prints how long a plan and an estimate take instead.

let rules: [Graph.CostRules] = [.shopify, .gitHub, .fieldCost, .typeCost]
let isMeasuring = CommandLine.arguments.contains("--measure")
let clock = ContinuousClock()
var planning = Duration.zero
var estimating = Duration.zero
var longest = Duration.zero
var count = 0
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
  var costs: [Double?] = []
  for rules in rules {
    var plan: (any Graph.CostPlan)?
    planning += clock.measure {
      plan = rules.plan(for: document, in: Storefront.schema)
    }
    var cost: Double?
    let time = clock.measure { cost = plan?.cost(variables) }
    estimating += time
    longest = max(longest, time)
    count += 1
    costs.append(cost)
  }
  if !isMeasuring {
    print("[" + costs.map { $0.map { "\($0)" } ?? "null" }.joined(separator: ",") + "]")
  }
}
if isMeasuring {
  print(
    "plan \(planning / max(count, 1)), estimate \(estimating / max(count, 1)), longest \(longest)")
}
