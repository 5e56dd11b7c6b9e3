import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

/// Dates without a time.
@Suite struct LocalDateTests {
  @Test(arguments: [
    "0000-01-01", "0000-02-29", "0001-12-31", "1600-02-29", "1900-02-28", "1970-01-01",
    "2000-02-29", "2023-12-31", "2024-02-29", "2100-03-01", "9999-12-31",
  ])
  func parsesAndFormatsDays(_ text: String) throws {
    let day = try GraphQL.LocalDate(scalar: .string(text))
    #expect(day.description == text && day.scalar == .string(text))
    #expect(GraphQL.LocalDate(year: day.year, month: day.month, day: day.day) == day)
  }

  @Test(arguments: [
    "", "2024", "2024-1-1", "2024-13-01", "2024-00-01", "2024-01-00", "2024-01-32", "2024-04-31",
    "2023-02-29", "1900-02-29", "2100-02-29", "-001-01-01", "10000-01-01", "2024-01-01x",
    "2024-01-01T00:00:00Z", " 2024-01-01", "2024/01/01", "20240101",
  ])
  func rejectsInvalidText(_ text: String) {
    #expect(throws: GraphQL.ScalarMismatch.self) { try GraphQL.LocalDate(scalar: .string(text)) }
  }

  @Test func everyDayRoundTripsInOrder() throws {
    var previous: GraphQL.LocalDate?
    var count = 0
    for year in [0, 4, 100, 399, 400, 1582, 1970, 2000, 2100, 9999] {
      for month in 1...12 {
        for day in 1...31 {
          guard let date = GraphQL.LocalDate(year: year, month: month, day: day) else { continue }
          #expect(try GraphQL.LocalDate(scalar: date.scalar) == date)
          #expect(previous.map { $0 < date } ?? true)
          previous = date
          count += 1
        }
      }
    }
    #expect(count == 10 * 365 + 4)
  }

  @Test func invalidComponentsReturnNil() {
    #expect(GraphQL.LocalDate(year: -1, month: 1, day: 1) == nil)
    #expect(GraphQL.LocalDate(year: 10_000, month: 1, day: 1) == nil)
    #expect(GraphQL.LocalDate(year: .max, month: .max, day: .max) == nil)
    #expect(GraphQL.LocalDate(year: .min, month: .min, day: .min) == nil)
  }
}
