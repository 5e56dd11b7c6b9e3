import Testing

@testable import GraphClient

struct HeadersTests {
  @Test func namesAreCaseInsensitive() {
    var headers: Graph.Headers = ["Content-Type": "text/plain"]
    #expect(headers["content-type"] == "text/plain")
    headers["CONTENT-TYPE"] = "text/html"
    #expect(headers.fields.count == 1 && headers["Content-Type"] == "text/html")
    headers["content-TYPE"] = nil
    #expect(headers.fields.isEmpty)
  }

  @Test(arguments: [
    ("X-A", "x-a", true), ("", "", true), ("X-A", "X-AB", false), ("X-A", "X-B", false),
    // They differ by 0x20, but are not letters.
    ("@", "`", false), ("[", "{", false), ("X-A", "XMA", false), ("k", "\u{212A}", false),
  ])
  func nameComparisonIgnoresOnlyASCIICase(left: String, right: String, isSame: Bool) {
    #expect(Graph.Headers.isSame(left, right) == isSame)
    let fields = [left, right].map { Graph.Headers.Field(name: $0, value: "v") }
    #expect((fields[0] == fields[1]) == isSame)
    #expect(Set(fields).count == (isSame ? 1 : 2))
  }

  @Test func mergingReplacesFields() {
    var headers: Graph.Headers = ["A": "1", "B": "2", "a": "3"]
    headers.merge(["a": "4", "C": "5", "A": "6"])
    #expect(headers.fields.map(\.value) == ["2", "4", "5", "6"])
    #expect(headers["a"] == "4, 6")
  }

  @Test(arguments: ["a\r\nX-Evil: 1", "a\n", "\r", "a\u{0}b"])
  func headerInjectionIsRefused(value: String) {
    let headers: Graph.Headers = ["Authorization": value]
    let error = #expect(throws: Graph.TransportError.self) { try headers.check() }
    #expect(error?.code == .invalidRequest)
    #expect(error?.description.contains("Authorization") == true)
    #expect(error?.description.contains("Evil") == false)
  }

  @Test(arguments: ["", "a b", "a:b", "ä", "a\r\n"])
  func rejectsInvalidNames(name: String) {
    #expect(throws: Graph.TransportError.self) {
      try Graph.Headers([.init(name: name, value: "v")]).check()
    }
  }

  @Test func descriptionsDoNotContainSecrets() {
    let headers: Graph.Headers = [
      "Authorization": "Bearer secret", "X-Shopify-Storefront-Access-Token": "secret",
      "Accept": "application/json",
    ]
    var dumped = ""
    dump(headers, to: &dumped)
    for text in ["\(headers)", String(reflecting: headers), dumped, "\(headers.fields)"] {
      #expect(!text.contains("secret"))
      #expect(text.contains("application/json"))
    }
  }
}
