import Testing

@testable import GraphStore

@Suite struct DecimalOrderTests {
  @Test func textsSortLikeTheirNumbers() throws {
    let ascending = [
      "-1e30", "-100", "-99.99", "-10", "-1.23", "-1.2", "-1", "-0.5", "-0.05", "-1e-30", "0",
      "1e-30", "0.05", "0.5", "1", "1.2", "1.23", "9", "10", "99.99", "100", "123456789012345678",
      "1e30",
    ]
    let texts = try ascending.map { try #require(DecimalOrder.text($0)) }
    #expect(texts == texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(Set(texts).count == texts.count)
  }

  @Test(arguments: [
    ("1", "1.0"), ("0", "-0.00"), ("12.5", "0012.50"), ("12.5", "1.25e1"), ("120", "12E+1"),
    ("0.0012", "12e-4"), ("-7", "-7.000"),
  ])
  func equalNumbersHaveEqualTexts(left: String, right: String) {
    #expect(DecimalOrder.text(left) != nil)
    #expect(DecimalOrder.text(left) == DecimalOrder.text(right))
  }

  @Test(arguments: ["", "-", "1x", ".5", "1e", "1e99999999", "--1", "NaN"])
  func rejectsInvalidNumbers(text: String) {
    #expect(DecimalOrder.text(text) == nil)
  }
}
