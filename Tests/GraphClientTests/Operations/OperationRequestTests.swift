import Testing

@testable import GraphClient

struct OperationRequestTests {
  @Test(arguments: [
    "{ shop { ... @defer { name } } }", "{ list @stream { id } }",
    "{ list @ stream(initialCount: 1) { id } }",
    #"{ a(text: "\\") ... @defer { name } }"#, "{ a # \"\n ... @defer { name } }",
    #"{ a(text: """ \""" """) ... @defer { name } }"#,
  ])
  func documentsWithTheDirectivesArriveInParts(_ document: String) {
    #expect(document.arrivesInParts)
  }

  @Test(arguments: [
    "{ shop { name } }", "{ a @deferred b @streamable }", #"{ a(text: "@defer") }"#,
    #"{ a(text: "\" @defer") }"#, #"{ a(text: """ " @stream """) }"#, "{ a # @defer\n }",
    #"{ a(text: """ \""" @defer """) }"#, "{ stream defer: deferred }", #"{ a(text: "@defer"#,
  ])
  func otherDocumentsDoNot(_ document: String) {
    #expect(!document.arrivesInParts)
  }
}
