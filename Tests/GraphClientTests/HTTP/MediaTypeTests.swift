import Testing

@testable import GraphClient

struct MediaTypeTests {
  @Test(arguments: [
    ("application/json", "application/json", [:]),
    (" Application/JSON ; Charset=UTF-8", "application/json", ["charset": "UTF-8"]),
    (
      #"multipart/mixed;boundary="a;b\"c"; deferSpec=20220824"#, "multipart/mixed",
      ["boundary": #"a;b"c"#, "deferspec": "20220824"]
    ),
    ("text/html;;x", "text/html", [:]),
  ])
  func parsesEssenceAndParameters(text: String, essence: String, parameters: [String: String]) {
    let type = Graph.MediaType(text)
    #expect(type?.essence == essence)
    #expect(type?.parameters == parameters)
  }

  @Test(arguments: [nil, "", "json", ";a=b/c"])
  func rejectsInvalidMediaTypes(text: String?) {
    #expect(Graph.MediaType(text) == nil)
  }
}
