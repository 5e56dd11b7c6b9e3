import Foundation
import GraphJSON
import GraphQLRuntime
import GraphQLSchema
import StorefrontAPI
import TestSupport

// Inputs that attack by their size or depth. Everything runs on a stack of half a megabyte, as
// secondary threads have on Apple systems.

let million = 1_000_000
var report = Report()

func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

// Depth: an error with a location, in time that does not depend on the depth of the rest.

for opening in ["[", "{\"a\":", "[{\"a\":", "{\"a\":[", "[1,"] {
  let text = Array(repeated(opening, million).utf8)
  report.refusal("JSON, 1,000,000 times \(opening)") { _ = try JSONDocument(parsing: text) }
  report.refusal("JSON value, 1,000,000 times \(opening)") { _ = try JSON(parsing: text) }
}
for opening in ["{\"shop\":", "{\"products\":[", "{\"unknown\":["] {
  let text = Array(#"{"data":"#.utf8) + Array(repeated(opening, million).utf8)
  report.refusal("response, 1,000,000 times \(opening)") {
    let query = Storefront.buildQuery { $0.shop { $0.name() } }
    _ = try query.operation().response(from: text)
  }
}
let introspection =
  #"{"data":{"__schema":{"types":[{"kind":"OBJECT","name":"Q","fields":[{"name":"a","type":"#
  + repeated(#"{"kind":"LIST","ofType":"#, million)
report.refusal("introspection result, 1,000,000 lists") {
  _ = try ServiceSchema.read([Source(name: "schema.json", text: introspection)])
}
for (name, opening, inner) in [
  ("types of lists", "type Query { a: ", "["), ("default values", "input I { a: A = ", "["),
  ("default objects", "input I { a: A = ", "{a:"), ("braces", "", "{"),
  ("directives' arguments", "directive @d on OBJECT type Query ", "@d(a:["),
] {
  let text = opening + repeated(inner, million)
  report.refusal("SDL, 1,000,000 \(name)") {
    _ = try ServiceSchema(sdl: text, name: "schema.graphql")
  }
}
for (name, opening, inner) in [
  ("selection sets", "", "{a"), ("inline fragments", "{", "...{"), ("lists", "{a(b:", "["),
  ("objects", "{a(b:", "{a:"), ("types of variables", "query($a:", "["),
] {
  let text = opening + repeated(inner, million)
  report.refusal("document, 1,000,000 \(name)") {
    _ = try Document(parsing: Source(name: "document", text: text))
  }
}

// Fragments: validated in at most a second.

let schema = try ServiceSchema(
  sdl: """
    type Query { settings: String book(id: ID!): Book }
    type Book { id: ID! title: String sequel: Book }
    """, name: "schema.graphql")
func numbered(_ text: (Int) -> String) -> String {
  (0..<10_000).map(text).joined(separator: " ")
}
let fragments = [
  (
    "spread 10,000 times",
    "{ \(numbered { _ in "...A" }) } fragment A on Query { settings }"
  ),
  (
    "10,000 in a row",
    "{ \(numbered { "...A\($0)" }) } \(numbered { "fragment A\($0) on Query { settings }" })"
  ),
  (
    "10,000, each in the one before",
    "{ ...A0 } \(numbered { "fragment A\($0) on Query { settings ...A\($0 + 1) }" }) "
      + "fragment A10000 on Query { settings }"
  ),
  (
    "10,000, each below a field of the one before",
    "{ book(id: 1) { ...A0 } } "
      + numbered { "fragment A\($0) on Book { id sequel { ...A\($0 + 1) } }" }
      + " fragment A10000 on Book { id }"
  ),
  (
    "10,000, each twice in the one before",
    "{ book(id: 1) { ...A0 } } "
      + numbered {
        "fragment A\($0) on Book { a: sequel { ...A\($0 + 1) } b: sequel { ...A\($0 + 1) } }"
      } + " fragment A10000 on Book { id }"
  ),
  (
    "10,000 in a circle",
    "{ ...A0 } \(numbered { "fragment A\($0) on Query { ...A\(($0 + 1) % 10_000) }" })"
  ),
  (
    "10,000 that each spread all of 100",
    "{ \(numbered { "...A\($0)" }) } "
      + numbered { number in
        "fragment A\(number) on Query { \((0..<100).map { "...B\($0)" }.joined(separator: " ")) }"
      } + (0..<100).map { " fragment B\($0) on Query { settings }" }.joined()
  ),
]
for (name, text) in fragments {
  report.within(1, "fragments, \(name)") {
    do throws(Diagnostics) {
      let document = try Document(parsing: Source(name: "document", text: text))
      return "\(document.validate(against: schema).count) findings"
    } catch { return "refused: \(error.elements[0].message.prefix(60))" }
  }
}

// Keys: 1,000,000 keys that collide take at most twice as long as random keys.

/// The keys are equal in the first and last eight bytes and in the length.
let chosen = Keys.object { "aaaaaaaa\(Keys.digits($0))bbbbbbbb" }
var random = SeededGenerator(seed: 1)
let others = Keys.object { _ in Keys.digits(&random) + Keys.digits(&random) }
report.atMost(2, "JSON value, 1,000,000 chosen keys", beside: "random ones") { isChosen in
  guard case .object(let object) = try JSON(parsing: isChosen ? chosen : others) else { return 0 }
  return object.members.count
}
report.atMost(2, "response, 1,000,000 chosen keys", beside: "random ones") { isChosen in
  let query = Storefront.buildQuery { $0.shop { $0.name() } }
  let inner = isChosen ? chosen : others
  let bytes = Array(#"{"data":{"shop":{"name":"a","more":"#.utf8) + inner + Array("}}}".utf8)
  return try query.operation().response(from: bytes).data?.shop.name == "a" ? million : 0
}

exit(report.finish())
