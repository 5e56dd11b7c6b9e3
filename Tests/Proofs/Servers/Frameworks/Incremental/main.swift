import GraphClient
import GraphQLRuntime

let checks = Checks()
let client = checks.client()

await checks.check("@defer") {
  let body = API.ReportQuery.fragment("Body") { $0.body() }
  let query = API.buildQuery {
    $0.report { $0.title().directive(.defer(label: "body")).spread(body) }
  }
  var bodies: [String?] = []
  for try await response in client.responses(to: query) {
    let report = try response.requireData().report
    guard report.title == "Numbers" else { return false }
    bodies.append(report.has(\.body) ? report.body : nil)
  }
  return bodies == [nil, "long"]
}

await checks.check("@stream") {
  let query = API.buildQuery { $0.directive(.stream(initialCount: 1)).numbers() }
  var counts: [Int] = []
  for try await response in client.responses(to: query) {
    counts.append(try response.requireData().numbers.count)
  }
  return counts.last == 4 && counts.count > 1
}

checks.finish()
