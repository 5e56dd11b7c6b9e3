import GraphJSON
import Testing

@Suite struct NumberTests {
  /// Reads `text` in place and as a `JSON.Number`, which must agree.
  private func read<T: Equatable>(
    _ text: String, _ inDocument: (JSONDocument, Int) -> T, _ number: (JSON.Number) -> T
  ) throws -> T {
    let document = try JSONDocument(parsing: "[" + text + ",7]")
    let index = document.firstChild(of: JSONDocument.rootIndex)
    let value = inDocument(document, index)
    #expect(number(try #require(JSON.Number(text: text))) == value)
    #expect(document.numberText(at: index) == text)
    return value
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("0.0", 0), ("0e999999999999999999999", 0), ("-0.00e-5", 0), ("1.0", 1),
      ("1e2", 100), ("1E+2", 100), ("100e-2", 1), ("1.5e1", 15), ("0.01e2", 1), ("12.3400e2", 1234),
      ("-2147483648", .min), ("2147483647", .max), ("2147483648", nil), ("-2147483649", nil),
      ("2147483647.0", .max), ("2147483647.5", nil), ("0.5", nil), ("1e-1", nil), ("1e10", nil),
      ("1e999999999999999999999", nil), ("1e-999999999999999999999", nil), ("00001e0", nil),
      ("99999999999999999999999999", nil), ("0.1e1", 1), ("1000000000e-9", 1),
      ("1.00000000001", nil),
    ] as [(String, Int32?)])
  func parsesInt32(text: String, value: Int32?) throws {
    guard JSON.Number(text: text) != nil else {
      #expect(value == nil)
      return
    }
    #expect(try read(text, { $0.int32(at: $1) }, \.int32) == value)
  }

  @Test(
    arguments: [
      ("9223372036854775807", .max), ("9223372036854775808", nil), ("-9223372036854775808", .min),
      ("-9223372036854775809", nil), ("9223372036854775807.000", .max),
      ("9.223372036854775807e18", .max), ("9.223372036854775808e18", nil),
      ("-9.223372036854775808e18", .min), ("92233720368547758070e-1", .max), ("1e18", 1 * .e18),
      ("9e18", 9 * .e18), ("1e19", nil), ("18446744073709551616", nil),
      ("18446744073709551615", nil),
      ("999999999999999999", .e18 - 1), ("-999999999999999999", 1 - .e18),
      ("9007199254740993", 9_007_199_254_740_993), ("10000000000000000000", nil),
      ("123456789012345678901e-2", nil), ("1000000000000000000000e-3", 1 * .e18),
      ("0.000000000000000000000000000001e30", 1),
    ] as [(String, Int64?)])
  func parsesInt64(text: String, value: Int64?) throws {
    #expect(try read(text, { $0.int64(at: $1) }, \.int64) == value)
  }

  @Test(
    arguments: [
      "0", "0.1", "1.5", "-2.75", "123456789", "1e22", "1e23", "9007199254740993", "0.3e-5",
      "1.7976931348623157e308", "2.2250738585072014e-308", "5e-324", "2.4703282292062327e-324",
      "2.4703282292062328e-324", "1e-400", "123456789012345678901234567890", "8.98846567431158e307",
      "9007199254740992.999999999999999", "0.1000000000000000055511151231257827", "179769e303",
      "3.1415926535897932384626433832795028841971693993751", "6.02214076e23", "1e-22", "1e-23",
    ])
  func parsesDoubles(text: String) throws {
    let value = try #require(try read(text, { $0.double(at: $1) }, \.double))
    #expect(value.bitPattern == Double(text)?.bitPattern)
  }

  @Test func negativeZeroKeepsItsSign() throws {
    for text in ["-0", "-0.0", "-0e5", "-1e-400"] {
      let value = try #require(try read(text, { $0.double(at: $1) }, \.double))
      #expect(value == 0 && value.sign == .minus)
    }
  }

  @Test(arguments: ["1e400", "-1e400", "1.7976931348623159e308", "1e999999999999999999999"])
  func numbersBeyondDoubleReturnNil(text: String) throws {
    #expect(try read(text, { $0.double(at: $1) }, \.double) == nil)
  }

  @Test func randomDoublesRoundTrip() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let value = Double(bitPattern: generator.next())
      guard let number = JSON.Number(value) else { continue }
      #expect(
        try read(number.text, { $0.double(at: $1) }, \.double)?.bitPattern == value.bitPattern)
    }
  }

  @Test func randomIntegersRoundTrip() throws {
    for shift in 0..<64 {
      for value in [
        Int64.min >> shift, Int64.max >> shift, Int64.random(in: .min ... .max) >> shift,
      ] {
        #expect(try read("\(value)", { $0.int64(at: $1) }, \.int64) == value)
        #expect(try read("\(value).0", { $0.int64(at: $1) }, \.int64) == value)
      }
    }
  }

  @Test(arguments: [
    "", " 1", "1 ", "01", "+1", "1.", ".1", "1e", "NaN", "0x1", "\"1\"", "null", "1,2",
  ])
  func rejectsInvalidNumberText(text: String) { #expect(JSON.Number(text: text) == nil) }

  @Test func createsNumbersFromSwiftValues() {
    #expect(JSON.Number(-7).text == "-7")
    #expect(JSON.Number(UInt64.max).text == "18446744073709551615")
    #expect(JSON.Number(0.1)?.text == "0.1")
    #expect(JSON.Number(Double.infinity) == nil)
    #expect(JSON.Number(Double.nan) == nil)
    #expect(JSON.Number(1) != JSON.Number(1.0))
  }

  @Test func parsesMillionDigits() throws {
    let digits = String(repeating: "9", count: 1_000_000)
    #expect(try read("0." + digits, { $0.double(at: $1) }, \.double) == 1)
    #expect(try read(digits, { $0.int64(at: $1) }, \.int64) == nil)
    let zeros = String(repeating: "0", count: 1_000_000)
    #expect(try read("5" + zeros + "e-1000000", { $0.int64(at: $1) }, \.int64) == 5)
  }
}

extension Int64 {
  fileprivate static let e18: Int64 = 1_000_000_000_000_000_000
}
