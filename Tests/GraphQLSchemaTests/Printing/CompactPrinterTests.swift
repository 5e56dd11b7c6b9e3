import GraphQLSchema
import Testing

/// Documents in the fewest bytes.
@Suite struct CompactPrinterTests {
  private func compact(_ text: String) throws -> String {
    let document = try Document(parsing: Source(name: "a.graphql", text: text))
    let operations = document.operations.flatMap(\.compact)
    return String(decoding: operations + document.fragments.flatMap(\.compact), as: UTF8.self)
  }

  @Test(arguments: [
    ("{ a, b }", "{a b}"),
    ("query { a }", "{a}"),
    ("query Q { a }", "query Q{a}"),
    ("query ($a: Int) { a(b: $a) }", "query($a:Int){a(b:$a)}"),
    ("mutation @live { a }", "mutation@live{a}"),
    (
      "query Q($a: [Int!]! = [1, 2], $b: In = { c: \"x\", d: null }) @d(e: 1, f: E) { a }",
      "query Q($a:[Int!]!=[1 2]$b:In={c:\"x\" d:null})@d(e:1 f:E){a}"
    ),
    (
      "{ a: b(c: -1.5e3, d: true, e: $f, g: [\"x\", \"y\"]) @skip(if: $h) { i } }",
      "{a:b(c:-1.5e3 d:true e:$f g:[\"x\" \"y\"])@skip(if:$h){i}}"
    ),
    (
      "{ a ...F @include(if: true) b ... on T { c } ... { d } ... @skip(if: $x) { e } }",
      "{a ...F@include(if:true)b ...on T{c}...{d}...@skip(if:$x){e}}"
    ),
    ("fragment F on T @d { a { b } ...G }", "fragment F on T@d{a{b}...G}"),
    ("{ a(b: \"\"\"\n  x\n  \"y\"\n\"\"\") }", #"{a(b:"x\n\"y\"")}"#),
    ("\"D\" query Q(\"V\" $a: Int) { a }", "query Q($a:Int){a}"),
  ])
  func hasNoInsignificantCharacters(text: String, expected: String) throws {
    #expect(try compact(text) == expected)
    // It is the same document, without the descriptions.
    if !text.hasPrefix("\"") {
      #expect(
        try Document(parsing: Source(name: "a", text: expected))
          == Document(parsing: Source(name: "b", text: text)))
    }
  }
}
