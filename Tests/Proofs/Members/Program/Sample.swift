import Foundation
import GraphJSON
import GraphQLRuntime

/// The values that the emitted program sends.
enum Sample {
  static let string = "a \"quoted\" \\ text,\n\tline 2, é, 😀, \u{2028}"
  static let int = Int(Int32.max)
  static let double = -1.5e-7
  static let bool = true
  static let id: GraphQL.ID = "gid://shop/Thing/1"
  static let dateTime = Date(timeIntervalSince1970: 1_769_852_400.25)
  static let localDate = GraphQL.LocalDate(year: 2028, month: 2, day: 29)!
  static let url = URL(string: "https://example.com/a?b=c%20d#e")!
  static let decimal = Decimal(string: "12.50")!
  static let bigInt: GraphQL.BigInt = 9_007_199_254_740_993
  static let json: GraphQL.JSON = "text"
}
