import Foundation
import GraphJSON
@testable import GraphQLRuntime
import Testing

/// A value that is read from a response's bytes is the one that `init(scalar:)` returns.
@Suite struct PlainScalarTests {
  private struct Random {
    var state: UInt64 = 11

    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }

    mutating func text(_ pieces: [String], _ most: Int) -> String {
      (0..<next(most + 1)).map { _ in pieces[next(pieces.count)] }.joined()
    }
  }

  private func reader(_ json: JSON) throws -> GraphQL.ValueReader {
    var writer = JSONWriter()
    writer.value(json)
    let document = GraphQL.ResponseDocument(
      GraphQL.RecordSource(json: try JSONDocument(parsing: writer.finish()), links: nil),
      schema: nil)
    return GraphQL.ValueReader(document: document, index: JSONDocument.rootIndex)
  }

  /// Returns whether the value was read from its bytes.
  private func agree<Value: GraphQL.Scalar & Equatable>(
    _ type: Value.Type, _ text: String
  ) throws -> Bool {
    let reader = try reader(.string(text))
    let value = try? Value(scalar: .string(text))
    #expect(Value._read(reader) == value, "\(text)")
    if value != nil {
      // A checked response, whose values are known to be valid.
      let checked = GraphQL.ValueReader(
        document: reader.document.withUniqueKeys, index: reader.index)
      #expect(Value._read(checked) == value, "\(text)")
    }
    if reader.isPlain(Value.self) { #expect(value != nil, "\(text)") }
    return reader.isPlain(Value.self)
  }

  @Test func plainURLsEqualParsedURLs() throws {
    var random = Random()
    var plain = 0
    let pieces = [
      "a", "Z", "0", ".", "-", "/", "?", "&", "=", ":", "@", "!", ",", "+", "~", "_", "//", "%41",
      "#", "é", " ", "[", "xn--", "..", ":80", "\\",
    ]
    for _ in 0..<5_000 {
      let text = ["http://", "https://", "https:", ""][random.next(4)] + random.text(pieces, 8)
      if try agree(GraphQL.URL.self, text) {
        plain += 1
        #expect(URL(string: text)?.absoluteString == text)
      }
    }
    #expect(plain > 100)
  }

  @Test func plainDecimalsEqualParsedDecimals() throws {
    var random = Random()
    var plain = 0
    for _ in 0..<5_000 {
      let text = random.text(
        ["0", "1", "9", "12", ".", "-", "+", "e", "000000", "/", ":", "é"], 7)
      if try agree(GraphQL.Decimal.self, text) { plain += 1 }
      _ = try agree(GraphQL.BigInt.self, text)
    }
    #expect(plain > 100)
  }

  @Test func plainDatesEqualParsedDates() throws {
    var random = Random()
    var plain = 0
    for _ in 0..<5_000 {
      let date = "20\(10 + random.next(30))-\(10 + random.next(4))-\(10 + random.next(22))"
      if try agree(GraphQL.LocalDate.self, date) { plain += 1 }
      let time =
        "\(random.next(30)):\(10 + random.next(51)):00\(random.text([".5", "Z", "+01:00"], 2))"
      if try agree(GraphQL.DateTime.self, "\(date)T\(time)") { plain += 1 }
    }
    #expect(plain > 100)
  }

  @Test func readsURLWithEscapes() throws {
    let bytes = Array(#"{"a":"2026-01-31","b":"https://a.b\/c"}"#.utf8)
    let json = try JSONDocument(parsing: bytes)
    let document = GraphQL.ResponseDocument(
      GraphQL.RecordSource(json: json, links: nil), schema: nil)
    let value = try #require(json.member("b", of: 0))
    let reader = GraphQL.ValueReader(document: document, index: value)
    #expect(!reader.isPlain(GraphQL.URL.self))
    #expect(GraphQL.URL._read(reader)?.absoluteString == "https://a.b/c")
  }
}
