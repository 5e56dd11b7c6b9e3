import Foundation
import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

/// Decimal and BigInt.
@Suite struct NumberTests {
  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("1.50", "1.5"), ("+5", "5"), ("1e3", "1000"), ("1E-3", "0.001"),
    ("-12.5e+2", "-1250"), ("00012", "12"), ("0.1", "0.1"),
    ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ("-0.99999999999999999999999999999999999999", "-0.99999999999999999999999999999999999999"),
    (
      "0.00000000000000000000000000000000000000000001",
      "0.00000000000000000000000000000000000000000001"
    ),
    ("1e127", "1" + String(repeating: "0", count: 127)),
  ])
  func parsesAndFormatsDecimals(_ text: String, _ written: String) throws {
    let value = try Decimal(scalar: .string(text))
    #expect(value.scalar == .string(written))
    #expect(try Decimal(scalar: value.scalar) == value)
  }

  @Test(arguments: [
    "", " ", "12abc", "abc", "1.", ".5", "1e", "1e+", "--1", "1 ", " 1", "1,5", "0x10", "NaN",
    "inf",
    "1e128", "1e-129", "1e99999999999999999999", "1_000", "١", "1.2.3",
    "1234567890123456789012345678901234567891",
  ])
  func rejectsInvalidDecimals(_ text: String) {
    #expect(throws: GraphQL.ScalarMismatch.self) { try Decimal(scalar: .string(text)) }
  }

  @Test func decimalsFromNumbersKeepTheirDigits() throws {
    let json = try JSONDocument(parsing: "[0.1,1e2,12345678901234567890.123456789]").root
    let values = try #require(json.array).map { try Decimal(scalar: $0.json).description }
    #expect(values == ["0.1", "100", "12345678901234567890.123456789"])
    for json in [true, nil, [], [:]] as [GraphQL.JSON] {
      #expect(throws: GraphQL.ScalarMismatch.self) { try Decimal(scalar: json) }
    }
  }

  @Test func decimalsRoundTrip() throws {
    var random = SeededGenerator(seed: 38)
    for _ in 0..<500 {
      let digits = (0..<Int(random.next() % 38 + 1)).map { _ in "\(random.next() % 10)" }.joined()
      let point = Int(random.next() % UInt64(digits.count + 1))
      let text = "1" + digits.prefix(point).dropFirst() + "." + digits.dropFirst(point) + "1"
      guard text.count <= 39 else { continue }
      let value = try Decimal(scalar: .string(text))
      #expect(value.scalar == .string(text))
      #expect(try Decimal(scalar: value.scalar) == value)
    }
  }

  @Test func decimalsAgreeWithFoundation() throws {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<2_000 {
      let digits = String(random.next() % 10_000_000_000)
      let point = Int(random.next() % UInt64(digits.utf8.count)) + 1
      let fraction = digits.dropFirst(point)
      let sign = random.next() % 2 == 0 ? "-" : ""
      let text = sign + digits.prefix(point) + (fraction.isEmpty ? "" : "." + fraction)
      let expected = try #require(Decimal(string: text))
      let value = try Decimal(scalar: .string(text))
      #expect(value == expected && value.description == expected.description, "\(text)")
      #expect(value.hashValue == expected.hashValue, "\(text)")
    }
  }

  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("000", "0"), ("007", "7"), ("-007", "-7"), ("-1", "-1"),
    ("123456789012345678901234567890", "123456789012345678901234567890"),
  ])
  func parsesAndFormatsBigInts(_ text: String, _ written: String) throws {
    let value = try GraphQL.BigInt(scalar: .string(text))
    #expect(value.description == written && value.scalar == .string(written))
    #expect(GraphQL.BigInt(written) == value)
  }

  @Test(arguments: ["", "-", "+1", "1.0", "1e3", " 1", "1 ", "--1", "0x1", "١", "1\u{301}"])
  func rejectsInvalidBigInts(_ text: String) {
    #expect(throws: GraphQL.ScalarMismatch.self) { try GraphQL.BigInt(scalar: .string(text)) }
    #expect(GraphQL.BigInt(text) == nil)
  }

  @Test func bigIntsAreOrdered() {
    let ordered: [GraphQL.BigInt] = [
      GraphQL.BigInt("-100000000000000000000")!, -11, -10, -9, 0, 9, 10, 11,
      GraphQL.BigInt("99999999999999999999")!, GraphQL.BigInt("100000000000000000000")!,
    ]
    for (left, first) in ordered.enumerated() {
      for (right, second) in ordered.enumerated() {
        #expect((first < second) == (left < right))
      }
    }
    #expect(ordered[1].int64 == -11 && ordered[0].int64 == nil && ordered[1].uint64 == nil)
    #expect(GraphQL.BigInt(UInt64.max).uint64 == .max)
  }
}
