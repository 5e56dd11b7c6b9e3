import Foundation
import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

/// RFC 3339 dates and times.
@Suite struct DateTimeTests {
  private func read(_ text: String) -> Double? {
    (try? GraphQL.DateTime(scalar: .string(text)))?.timeIntervalSince1970
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2026-01-31T09:30:00Z", 1_769_851_800),
    ("2026-01-31t09:30:00z", 1_769_851_800), ("2026-01-31 09:30:00Z", 1_769_851_800),
    ("2026-01-31T09:30:00.25Z", 1_769_851_800.25),
    ("2026-01-31T09:30:00.5000000000001Z", 1_769_851_800.5),
    ("2026-01-31T10:30:00+01:00", 1_769_851_800), ("2026-01-31T04:00:00-0530", 1_769_851_800),
    ("2026-01-31T09:30:00-00:00", 1_769_851_800), ("2026-02-01T09:29:00+23:59", 1_769_851_800),
    ("2016-12-31T23:59:60Z", 1_483_228_800), ("2017-01-01T00:59:60+01:00", 1_483_228_800),
    ("2000-02-29T00:00:00Z", 951_782_400), ("2024-02-29T23:59:59Z", 1_709_251_199),
    ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ("1969-12-31T23:59:59.75Z", -0.25), ("0000-02-29T00:00:00Z", -62_162_121_600),
  ])
  func parsesDateTimes(_ text: String, _ seconds: Double) {
    #expect(read(text) == seconds)
  }

  @Test(arguments: [
    "", "2026", "2026-01-31", "2026-01-31T09:30Z", "2026-01-31T09:30:00", "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-04-31T00:00:00Z", "2023-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T09:60:00Z", "2026-01-31T09:30:61Z",
    "2026-01-31T09:30:60Z", "2026-01-31T09:30:00.Z", "2026-01-31T09:30:00,5Z",
    "2026-01-31T09:30:00+24:00", "2026-01-31T09:30:00+01:60", "2026-01-31T09:30:00+1",
    "2026-01-31T09:30:00Zx", "2026-01-31T09:30:00Z ", " 2026-01-31T09:30:00Z",
    "2026-01-31T09:30:00Z\u{0}", "+2026-01-31T09:30:00Z", "20260131T093000Z", "2026-1-31T09:30:00Z",
    "٢026-01-31T09:30:00Z", "2026-01-31T09:30:0é", "1769851800",
  ])
  func rejectsInvalidText(_ text: String) {
    #expect(read(text) == nil)
  }

  @Test func rejectsOtherJSON() {
    for json in [1, true, nil, [], [:]] as [GraphQL.JSON] {
      #expect(throws: GraphQL.ScalarMismatch.self) { try GraphQL.DateTime(scalar: json) }
    }
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (1_769_851_800.25, "2026-01-31T09:30:00.250Z"),
    (1_769_851_800.123_456, "2026-01-31T09:30:00.123456Z"), (-0.25, "1969-12-31T23:59:59.750Z"),
    (-62_167_219_200, "0000-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
    (59.999_999_7, "1970-01-01T00:01:00Z"), (951_782_399.001, "2000-02-28T23:59:59.001Z"),
  ])
  func formatsDateTimes(_ seconds: Double, _ text: String) {
    #expect(Date(timeIntervalSince1970: seconds).scalar == .string(text))
  }

  @Test(arguments: [1e15, -1e12, .infinity, .nan, -.infinity, 253_402_300_800, -62_167_219_200.001])
  func formatsUnrepresentableDatesAsNull(_ seconds: Double) {
    #expect(Date(timeIntervalSince1970: seconds).scalar == .null)
  }

  @Test func agreesWithFoundation() throws {
    let reference = ISO8601DateFormatter()
    reference.formatOptions = [.withInternetDateTime]
    var random = SeededGenerator(seed: 20_260_131)
    for _ in 0..<2_000 {
      // From 1600 to 9999; Foundation uses the Julian calendar before 1582.
      let seconds = Double(Int64(random.next() % 265_075_200_000)) - 11_676_096_000
      let date = Date(timeIntervalSince1970: seconds)
      let text = reference.string(from: date)
      #expect(read(text) == seconds, "\(text)")
      #expect(date.scalar == .string(text))
      let offset = Int(random.next() % 1439)
      reference.timeZone = TimeZone(secondsFromGMT: (offset - 719) * 60)
      let local = reference.string(from: date)
      #expect(read(local) == seconds, "\(local)")
      reference.timeZone = TimeZone(secondsFromGMT: 0)
    }
  }

  @Test func randomDatesRoundTrip() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let micros = Int64(random.next() % 8_000_000_000_000_000) - 4_000_000_000_000_000
      let date = Date(timeIntervalSince1970: Double(micros) / 1_000_000)
      let once = date.scalar
      #expect(try Date(scalar: once).scalar == once)
      #expect(abs(try Date(scalar: once).timeIntervalSince(date)) < 1e-6)
    }
  }
}
