import GraphJSON
import TestSupport
import Testing

@testable import GraphQLRuntime

/// Parsing to records in one pass gives the same values as the general way.
@Suite struct UsualRecordsTests {
  private static let data = """
    {"products":[{"id":"p1","title":"Hat é \\n","price":"9.50",\
    "images":[{"height":10,"url":"https://e.test/1"}],"owner":{"title":null},\
    "tags":["a"],"rating":-4.5,"code":"GREEN","codes":["GREEN","NEW"],"matrix":null}],\
    "search":[{"__typename":"Product","title":"Cap","owner":null},\
    {"__typename":"Article","title":"News","body":"b"}],\
    "node":null,"nodes":[],"named":null}
    """

  private func operation(_ long: Bool = false) throws -> GraphQL.Operation<ScreenQuery.Data> {
    try ScreenQuery(long: long, text: "hat").operation()
  }

  private func padded(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    JSONDocument.pad(&bytes)
    return bytes
  }

  /// An operation whose plans of all types in the data are known.
  private func warm() throws -> GraphQL.Operation<ScreenQuery.Data> {
    let operation = try operation()
    _ = try operation.generalResponse(padded(#"{"data":\#(Self.data)}"#))
    return operation
  }

  @Test(arguments: [
    #"{"data":DATA}"#, #" { "data": DATA , "extensions" : {"cost":1} }"#,
    #"{"data":DATA,"errors":[{"message":"m"}],"extensions":null}"#,
  ])
  func usualResponsesAreParsedInOnePass(_ form: String) throws {
    let operation = try warm()
    let bytes = padded(form.replacing("DATA", with: Self.data))
    // Concurrent tests may use the plans that know all types.
    let attempts = (0..<1_000).lazy.compactMap { _ in
      _ = try? operation.generalResponse(bytes)
      return operation.usualResponse(bytes)
    }
    let usual = try #require(attempts.first)
    let general = try operation.generalResponse(bytes)
    #expect(usual.data != nil && usual.data == general.data)
    #expect(usual.errors == general.errors && usual.extensions == general.extensions)
    #expect(usual.data?.products[0].productCard == general.data?.products[0].productCard)
    #expect(usual.data?.products[0].title == "Hat é \n")
    #expect(usual.data?.search[1].asArticle?.body == "b")
    // The text is parsed when it is needed.
    let (json, index) = try #require(usual.data)._stored
    #expect(String(decoding: json.source(at: index), as: UTF8.self) == Self.data)
  }

  @Test(arguments: [",", " , ", ",,", #","errors":[],"#, ",7", ",{}"])
  func textAfterTheDataIsJSON(_ rest: String) throws {
    let operation = try warm()
    let bytes = padded(#"{"data":\#(Self.data)\#(rest)}"#)
    #expect(operation.usualResponse(bytes) == nil)
    #expect(throws: GraphQL.ResponseFailure.self) { try operation.generalResponse(bytes) }
  }

  @Test(arguments: [
    ("Cap", "a\\x"), (#""id":"p1","title""#, #""title""#), (#""id":"p1""#, #""id":1e3"#),
    (#""rating":-4.5"#, #""rating":1e2"#), (#""rating":-4.5"#, #""rating":-"#),
    (#""rating":-4.5"#, #""rating":01"#), (#""height":10"#, #""height":10.0"#),
    (#""height":10"#, #""height":12345678901"#), (#""tags":["a"]"#, #""tags":["a",]"#),
    (#""tags":["a"]"#, #""tags":[null]"#), (#""tags":["a"]"#, #""tags":["a""#),
    (#""matrix":null"#, #""matrix":[[1]]"#), (#""matrix":null"#, #""matrix":nul"#),
    (#""node":null"#, #""node":{"__typename":"New","id":"1"}"#),
    (#""node":null"#, #""extra":1,"node":null"#), (#""nodes":[]"#, #""nodes":null"#),
    (#""price":"9.50""#, #""price":"x""#), (#""price":"9.50""#, #""price":true"#),
    (#""named":null"#, #""named":null,"named":null"#), ("Cap", "\u{1}"),
    (#""__typename":"Article","title":"News""#, #""title":"News","__typename":"Article""#),
  ])
  func otherResponsesAreReadInGeneral(_ change: (String, String)) throws {
    let operation = try warm()
    let bytes = padded(#"{"data":\#(Self.data.replacing(change.0, with: change.1))}"#)
    #expect(operation.usualResponse(bytes) == nil)
    let general = Result { try operation.generalResponse(bytes) }
    let response = Result {
      try operation.response(from: Array(bytes.dropLast(JSONDocument.padding)))
    }
    switch (general, response) {
    case (.success(let general), .success(let response)): #expect(general.data == response.data)
    case (.failure(let general), .failure(let response)): #expect("\(general)" == "\(response)")
    default: Issue.record("\(general), \(response)")
    }
  }

  /// Whatever the bytes are, both ways agree, or the general one decides.
  @Test func changedBytesGiveTheSameResult() throws {
    let operation = try warm()
    let original = Array(#"{"data":\#(Self.data),"errors":[]}"#.utf8)
    var random = SeededGenerator(seed: 18)
    var parsed = 0
    for _ in 0..<20_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: position)
        default: bytes = Array(bytes[..<position])
        }
        if bytes.isEmpty { break }
      }
      JSONDocument.pad(&bytes)
      guard let usual = operation.usualResponse(bytes) else { continue }
      parsed += 1
      let general = try operation.generalResponse(bytes)
      #expect(usual.data == general.data && usual.errors == general.errors)
    }
    // Not as often if concurrent tests use the plans that know all types.
    #expect(parsed > 0)
  }

  @Test func concurrentResponsesOfOneDocumentAreRead() async throws {
    let expected = try warm().data(Self.data)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<32 {
        group.addTask { try operation().data(Self.data) == expected }
      }
      for try await isEqual in group { #expect(isEqual) }
    }
  }
}
