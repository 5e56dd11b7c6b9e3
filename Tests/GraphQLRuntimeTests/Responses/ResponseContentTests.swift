import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

/// Equality, hashing and coding of objects.
@Suite struct ResponseContentTests {
  private func product(_ text: String) throws -> Shop.Product {
    try JSONDecoder().decode(Shop.Product.self, from: Data(text.utf8))
  }

  private func data(_ product: String) throws -> Shop.QueryRoot {
    let query = Shop.QueryRootQuery().product { $0.title().image { $0.height() }.tags() }
    return try query.operation().data(#"{"product":\#(product)}"#)
  }

  @Test func equalResponsesOfOneQueryAreEqual() throws {
    let text = #"{"title":"Hat","image":{"height":1},"tags":["a","b"]}"#
    let (left, right) = (try data(text), try data(text))
    #expect(left == right && left !== right && left.hashValue == right.hashValue)
    #expect(left.product == right.product && left.product?.image == right.product?.image)
    #expect(Set([left, right]).count == 1)
    for other in [
      #"{"title":"Cap","image":{"height":1},"tags":["a","b"]}"#,
      #"{"title":"Hat","image":{"height":2},"tags":["a","b"]}"#,
      #"{"title":"Hat","image":null,"tags":["a","b"]}"#,
      #"{"title":"Hat","image":{"height":1},"tags":["b","a"]}"#,
      #"{"title":"Hat","image":{"height":1},"tags":["a"]}"#,
    ] { #expect(try data(other) != left, "\(other)") }
  }

  @Test func theFormOfTheTextDoesNotCount() throws {
    let left = try product(#"{"title":"Hat","image":{"height":1},"tags":["é"]}"#)
    let right = try Shop.Product(fields: [
      "tags": ["\u{e9}"], "image": ["height": 1], "title": "Hat",
    ])
    #expect(left == right && left.hashValue == right.hashValue)
    let spaced = try data(#" { "title" : "H\u0061t", "image" :{"height":1 },"tags":[ "a" ]}"#)
    let other = try data(#"{"tags":["a"],"title":"Hat","image":{"height":1}}"#)
    #expect(spaced == other && spaced.product?.hashValue == other.product?.hashValue)
  }

  /// A server may send a key twice.
  @Test func repeatedKeysAreComparedInTheirOrder() throws {
    let texts = [
      #"{"title":"a","title":"a","tags":[],"image":null}"#,
      #"{"title":"a","tags":[],"tags":[],"image":null}"#,
      #"{"tags":[],"title":"b","title":"a","image":null}"#,
      #"{"title":"b","tags":[],"title":"a","image":null}"#,
    ]
    let objects = try texts.map { try data($0).product }
    for (index, left) in objects.enumerated() {
      #expect(try left == data(texts[index]).product)
      for (other, right) in objects.enumerated() where other != index {
        #expect(left != right, "\(index) and \(other)")
      }
    }
  }

  @Test func unicodeFormsAndTypesAreDistinguished() throws {
    #expect(try product(#"{"title":"\u00e9"}"#) != product(#"{"title":"e\u0301"}"#))
    #expect(try product(#"{"title":"1"}"#) != product(#"{"title":null}"#))
    let (article, image) = (try Shop.Article(fields: [:]), try Shop.Image(fields: [:]))
    #expect((article as GraphQL.AbstractResponse) != image)
  }

  /// JSON's own equality is the reference.
  @Test func randomObjectsAreEqualWhenTheirJSONIs() throws {
    var random = Generator(state: 7)
    var equal = 0
    for _ in 0..<2_000 {
      let left = random.json(depth: 3)
      let right = Bool.random(using: &random) ? random.shuffled(left) : random.json(depth: 3)
      let (one, two) = (
        try GraphQL.AbstractResponse(fields: ["a": left]),
        try GraphQL.AbstractResponse(fields: ["a": right])
      )
      #expect((one == two) == (left == right), "\(left) \(right)")
      if left == right {
        equal += 1
        #expect(one.hashValue == two.hashValue, "\(left)")
      }
    }
    #expect(equal > 500 && equal < 2_000)
  }

  @Test func codingKeepsTheContent() throws {
    let text =
      #"{"title":"Hat","price":"1.50","big":18446744073709551615,"rating":0.25,"image":null}"#
    let value = try product(text)
    let coded = try JSONEncoder().encode(["key": value])
    let read = try JSONDecoder().decode([String: Shop.Product].self, from: coded)
    #expect(read["key"] == value && read["key"]?.big?.uint64 == .max)
    let object = try JSONSerialization.jsonObject(with: coded) as? [String: [String: Any]]
    #expect(object?["key"]?["title"] as? String == "Hat" && object?["key"]?.count == 5)
  }

  @Test func codersKeepNamesAndNumbers() throws {
    let value = try product(
      #"{"createdAt":"2026-01-01T00:00:00Z","rating":12.5,"big":18446744073709551615}"#)
    let list = try PropertyListEncoder().encode(["key": value])
    let read = try PropertyListDecoder().decode([String: Shop.Product].self, from: list)
    #expect(read["key"] == value)
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let coded = try encoder.encode(value)
    #expect(String(decoding: coded, as: UTF8.self).contains(#""createdAt""#))
    #expect(try decoder.decode(Shop.Product.self, from: coded) == value)
  }

  @Test func decodingChecksTheObject() {
    #expect(throws: DecodingError.self) { try product(#"{"titel":"Hat"}"#) }
    #expect(throws: DecodingError.self) { try product(#"{"tags":"Hat"}"#) }
    #expect(throws: DecodingError.self) { try product("[1]") }
    do {
      _ = try product(#"{"image":{"height":"x"}}"#)
      Issue.record("no error")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.debugDescription.contains("image.height"))
      #expect(context.underlyingError is GraphQL.SchemaViolation)
    } catch { Issue.record("\(error)") }
  }
}

/// A generator of JSON values with few different scalars, so that equal ones occur.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }

  mutating func json(depth: Int) -> JSON {
    switch Int.random(in: 0..<(depth == 0 ? 4 : 6), using: &self) {
    case 0: .null
    case 1: .bool(.random(using: &self))
    case 2: JSON(Int.random(in: 0..<3, using: &self))
    case 3: .string(["", "é", "\\", "\u{1}"].randomElement(using: &self)!)
    case 4: .array((0..<Int.random(in: 0..<3, using: &self)).map { _ in json(depth: depth - 1) })
    default:
      .object(
        JSON.Object(
          (0..<Int.random(in: 0..<4, using: &self)).map {
            JSON.Object.Member(key: "k\($0 % 3)", value: json(depth: depth - 1))
          }))
    }
  }

  /// The same value with the members of its objects in another order.
  mutating func shuffled(_ json: JSON) -> JSON {
    switch json {
    case .array(let elements): return .array(elements.map { shuffled($0) })
    case .object(let object):
      var members: [JSON.Object.Member] = []
      for member in object.members.shuffled(using: &self) {
        members.append(JSON.Object.Member(key: member.key, value: shuffled(member.value)))
      }
      return .object(JSON.Object(members))
    default: return json
    }
  }
}
