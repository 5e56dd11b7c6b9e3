import Foundation
import GraphJSON
import Testing

/// JSONSerialization as an independent check of acceptance and values.
///
/// The intended differences are asserted: GraphJSON refuses a byte order mark, a comma before a
/// closing bracket and a NUL after the value, as RFC 8259 requires. It accepts numbers beyond
/// `Double`, whose text it keeps.
@Suite struct DifferentialTests {
  private enum Difference: Hashable {
    case byteOrderMark, trailingComma, trailingNUL, hugeNumber
  }

  private func foundation(_ bytes: [UInt8]) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
  }

  /// The listed class of difference to which `bytes` belong; nil if there is no such class.
  private func difference(_ bytes: [UInt8]) -> Difference? {
    do throws(JSONError) {
      let json = try JSON(parsing: bytes)
      if case .number(let number) = json, number.double == nil { return .hugeNumber }
      return nil
    } catch {
      if error.code == .byteOrderMark { return .byteOrderMark }
      guard error.offset < bytes.count else { return nil }
      let before = bytes[..<error.offset].last { $0 > 0x20 }
      switch bytes[error.offset] {
      case 0x5D, 0x7D: return before == 0x2C ? .trailingComma : nil
      case 0: return error.code == .trailingContent ? .trailingNUL : nil
      default: return nil
      }
    }
  }

  @Test func agreesWithFoundationOnGrammarCases() {
    let texts = (GrammarCases.accepted + GrammarCases.rejected).map { Array($0.text.utf8) }
    let malformed = GrammarCases.malformedUTF8.map { [0x22] + $0.bytes + [0x22] }
    for text in texts + malformed where Samples.accepts(text) != (foundation(text) != nil) {
      #expect(difference(text) != nil, "\(String(decoding: text, as: UTF8.self))")
    }
  }

  @Test func differsFromFoundationOnlyAsIntended() {
    #expect(difference(Array("\u{FEFF}1".utf8)) == .byteOrderMark)
    #expect(difference(Array("[1,]".utf8)) == .trailingComma)
    #expect(difference(Array("{\"a\":1 , }".utf8)) == .trailingComma)
    #expect(difference(Array("1\0".utf8)) == .trailingNUL)
    #expect(difference(Array("1e400".utf8)) == .hugeNumber)
  }

  @Test func everyTruncationIsRejected() throws {
    let sample = Array(Samples.small.utf8)
    #expect(Samples.accepts(sample))
    for count in 0..<sample.count {
      let text = Array(sample.prefix(count))
      let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: text) }
      #expect(error.offset <= count)
    }
  }

  @Test func agreesWithFoundationOnByteMutations() {
    let sample = Array(Samples.small.utf8)
    for index in sample.indices {
      for byte in UInt8.min...UInt8.max {
        var text = sample
        text[index] = byte
        if Samples.accepts(text) != (foundation(text) != nil) {
          #expect(difference(text) != nil, "byte \(byte) at \(index)")
        }
      }
    }
  }

  @Test func agreesWithFoundationOnRemovedAndInsertedBytes() {
    let sample = Array(Samples.small.utf8)
    for index in sample.indices {
      var removed = sample
      removed.remove(at: index)
      var texts = [removed]
      for byte in "\0 \n\"\\,:[]{}0-e.u".utf8 {
        var inserted = sample
        inserted.insert(byte, at: index)
        texts.append(inserted)
      }
      for text in texts where Samples.accepts(text) != (foundation(text) != nil) {
        #expect(difference(text) != nil, "\(String(decoding: text, as: UTF8.self))")
      }
    }
  }

  @Test func parsesSameValuesAsFoundation() throws {
    let large = Samples.response(byteCount: 20_000)
    // JSONSerialization leaves out a byte order mark inside a string.
    let decided = [#""\uFEFF""#, "\"\u{FEFF}\""]
    let accepted = GrammarCases.accepted.map(\.text).filter { !decided.contains($0) }
    for text in accepted + [Samples.small, large] {
      guard let expected = foundation(Array(text.utf8)) else { continue }
      let json = try JSON(parsing: Array(text.utf8))
      #expect(isSame(json, expected), "\(text.prefix(80))")
    }
  }

  /// JSONSerialization is wrong by one unit in the last place for some numbers.
  private func isNear(_ left: Double?, _ right: Double?) -> Bool {
    guard let left, let right else { return false }
    return abs(left - right) <= right.ulp
  }

  private func isSame(_ json: JSON, _ value: Any) -> Bool {
    switch json {
    case .null: value is NSNull
    case .bool(let bool): (value as? NSNumber)?.boolValue == bool
    case .number(let number): isNear((value as? NSNumber)?.doubleValue, number.double)
    case .string(let string): (value as? String).map { $0.utf8.elementsEqual(string.utf8) } ?? false
    case .array(let elements):
      (value as? [Any]).map {
        $0.count == elements.count && zip(elements, $0).allSatisfy(isSame)
      } ?? false
    case .object(let object):
      (value as? [String: Any]).map { members in
        members.count == object.count
          && object.allSatisfy { member in
            members[member.key].map { isSame(member.value, $0) } ?? false
          }
      } ?? false
    }
  }
}
