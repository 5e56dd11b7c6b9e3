import GraphJSON
import TestSupport
import Testing

@testable import GraphQLRuntime

/// Parsing a response of a builder's query in one pass gives the same objects as the general way.
@Suite struct UsualResponseTests {
  private static let data = """
    {"products":[{"id":"p1","title":"Hat é \\n","price":"9.50","image":{"url":"https://e.test/1","height":10},\
    "tags":["a"],"rating":-4.5,"code":"GREEN","codes":["GREEN","NEW"],\
    "related":[{"__typename":"Product","id":"2","title":"Cap"},{"__typename":"Article","id":"3"}]},\
    {"id":"4","title":"","price":1,"image":null,"tags":[],"rating":null,"code":"X","codes":[],"related":[]}]}
    """

  /// An operation whose plan no other test uses, for which all types of the data are known.
  private func warm(_ name: String) throws -> GraphQL.Operation<Shop.QueryRoot> {
    let operation = try Shop.buildQuery(named: name) {
      $0.products {
        $0.id().title().price().image { $0.url().height() }.tags().rating().code().codes()
          .related { $0.id().onProduct { $0.title() } }
      }
    }.operation()
    _ = try operation.generalResponse(padded(#"{"data":\#(Self.data)}"#))
    return operation
  }

  private func padded(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    JSONDocument.pad(&bytes)
    return bytes
  }

  private func json(_ root: Shop.QueryRoot?) -> JSON? {
    root.map { root in
      let (json, index) = root._stored
      return json.json(at: index)
    }
  }

  @Test(arguments: [
    #"{"data":DATA}"#, #" { "data": DATA , "extensions" : {"cost":1} }"#,
    #"{"data":DATA,"errors":[{"message":"m","path":["products",1,"rating"]}],"extensions":null}"#,
  ])
  func objectsAreEqual(_ form: String) throws {
    let operation = try warm("Equal\(form.utf8.count)")
    let bytes = padded(form.replacing("DATA", with: Self.data))
    let usual = try #require(operation.usualResponse(bytes))
    let general = try operation.generalResponse(bytes)
    #expect(usual.errors == general.errors && usual.extensions == general.extensions)
    #expect(usual.data != nil && json(usual.data) == json(general.data))
    let root = try #require(usual.data)
    let product = root.products[0]
    #expect(product.title == "Hat é \n" && product.tags == ["a"] && product.rating == -4.5)
    #expect(product.image?.height == 10 && root.products[1].image == nil)
    #expect((product.related?[0] as? Shop.Product)?.title == "Cap")
    #expect(product.has(\.image!.url) && !product.has(\.createdAt))
    #expect(product.rawText(\.codes) == #"["GREEN","NEW"]"#)
    #expect(product.document.path(to: product.index) == [.key("products"), .index(0)])
    #expect("\(root)" == "\(try #require(general.data))")
  }

  @Test(arguments: [
    (#""id":"4""#, #""id":null"#), (#""id":"4""#, #""id":{}"#),
    (#""rating":null"#, #""rating":1e2"#),
    (#""price":1"#, #""price":"x""#), (#""tags":[]"#, #""tags":[null]"#),
    (#""tags":[]"#, #""tags":{}"#),
    (#""id":"4","title":"""#, #""title":"","id":"4""#), (#""image":null"#, #""image":[]"#),
    (#""__typename":"Article""#, #""__typename":"Dragon""#), (#""id":"4""#, #""id":"4","id":"5""#),
    (#""id":"4""#, #""id":"4","extra":1"#), (#""related":[]}]"#, #""related":[]}],"products":[]"#),
  ])
  func otherResponsesAreReadInGeneral(_ change: (String, String)) throws {
    let operation = try warm("Other")
    let bytes = padded(#"{"data":\#(Self.data.replacing(change.0, with: change.1))}"#)
    #expect(operation.usualResponse(bytes) == nil)
    let general = Result { try operation.generalResponse(bytes) }
    let response = Result {
      try operation.response(from: Array(bytes.dropLast(JSONDocument.padding)))
    }
    switch (general, response) {
    case (.success(let general), .success(let response)):
      #expect(json(general.data) == json(response.data))
    case (.failure(let general), .failure(let response)): #expect("\(general)" == "\(response)")
    default: Issue.record("\(general), \(response)")
    }
  }

  /// Whatever the bytes are, both ways agree, or the general one decides.
  @Test func changedBytesGiveTheSameResult() throws {
    let operation = try warm("Changed")
    let original = Array(#"{"data":\#(Self.data),"errors":[]}"#.utf8)
    var random = SeededGenerator(seed: 19)
    var parsed = 0
    for _ in 0..<20_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...2, using: &random) where !bytes.isEmpty {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: position)
        default: bytes = Array(bytes[..<position])
        }
      }
      JSONDocument.pad(&bytes)
      guard let usual = operation.usualResponse(bytes) else { continue }
      parsed += 1
      let general = try operation.generalResponse(bytes)
      #expect(json(usual.data) == json(general.data) && usual.errors == general.errors)
    }
    #expect(parsed > 500)
  }

  /// After failures, the next responses are read in general at once, more of them each time.
  @Test func attemptsBecomeRareAfterFailures() {
    var attempts = GraphQL.ParsingAttempts()
    func pause() -> Int {
      var count = 0
      while !attempts.shouldTry() { count += 1 }
      return count
    }
    #expect(pause() == 1 && pause() == 0)
    let pauses = (0..<7).map { _ in
      attempts.note(succeeded: false)
      return pause()
    }
    #expect(pauses == [2, 4, 8, 16, 32, 32, 32])
    attempts.note(succeeded: true)
    #expect(pause() == 0)
    attempts.note(succeeded: false)
    #expect(pause() == 2)
  }

  /// A type that was not seen before is read in general, and as usual from then on.
  @Test func newTypesAreLearnt() throws {
    let operation = try Shop.buildQuery(named: "Learning") {
      $0.products { $0.id().related { $0.id() } }
    }.operation()
    func response(_ type: String) -> [UInt8] {
      padded(#"{"data":{"products":[{"id":"1","related":[{"__typename":"\#(type)","id":"2"}]}]}}"#)
    }
    _ = try operation.generalResponse(response("Product"))
    #expect(operation.usualResponse(response("Product")) != nil)
    #expect(operation.usualResponse(response("Article")) == nil)
    _ = try operation.generalResponse(response("Article"))
    #expect(operation.usualResponse(response("Article")) != nil)
    #expect(operation.usualResponse(response("Product")) != nil)
  }
}
