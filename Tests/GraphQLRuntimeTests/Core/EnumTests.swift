import Foundation
import GraphQLRuntime
import Testing

/// Enums as tables of names (specification: 3.9 Enums).
@Suite struct EnumTests {
  @Test func convertsBetweenNamesAndCases() {
    #expect(Shop.Color.deepRed.rawValue == "DEEP_RED")
    #expect(Shop.Color(rawValue: "GREEN") == .green)
    #expect(Shop.Color(rawValue: "green") == .unknownValue("green"))
    #expect(Shop.Color(rawValue: "") == .unknownValue(""))
    #expect(Shop.Color.unknownValue("TEAL").rawValue == "TEAL")
    #expect("\(Shop.Color.unknownValue("TEAL")) \(Shop.Color.green)" == "TEAL GREEN")
  }

  @Test func listsTheCasesOfTheSchema() {
    let cases: [Shop.Color] = Shop.Color.allCases
    #expect(cases == [.deepRed, .green, .unknownValue_])
  }

  @Test func equalityAndHashesAreThoseOfTheRawValue() {
    #expect(Shop.Color.unknownValue("TEAL") == .unknownValue("TEAL"))
    #expect(Shop.Color.unknownValue("TEAL") != .unknownValue("PINK"))
    #expect(Shop.Color.unknownValue("TEAL") != .green && Shop.Color.deepRed != .green)
    #expect(Shop.Color.unknownValue("GREEN") == .green)
    let colors: Set<Shop.Color> = [
      .green, .deepRed, .unknownValue("TEAL"), .unknownValue("TEAL"), .unknownValue("GREEN"),
    ]
    #expect(colors.count == 3 && colors.contains(Shop.Color(rawValue: "TEAL")))
  }

  @Test func codesTheRawValue() throws {
    let colors: [Shop.Color] = [.deepRed, .unknownValue("TEAL"), .unknownValue("")]
    let json = try JSONEncoder().encode(colors)
    #expect(String(decoding: json, as: UTF8.self) == #"["DEEP_RED","TEAL",""]"#)
    let decoded = try JSONDecoder().decode([Shop.Color].self, from: json)
    #expect(decoded == colors)
    guard case .deepRed = decoded[0] else { throw GraphQL.ScalarMismatch(expected: "deepRed") }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Shop.Color].self, from: Data("[1]".utf8))
    }
  }

  @Test func rawRepresentableCodeAcceptsIt() {
    func text(_ value: some RawRepresentable<String>) -> String { value.rawValue }
    #expect(text(Shop.Color.green) == "GREEN" && text(Shop.Color.unknownValue("TEAL")) == "TEAL")
  }

  @Test func schemaValueNamedUnknownValueIsDistinct() {
    #expect(Shop.Color(rawValue: "UNKNOWN_VALUE") == .unknownValue_)
    #expect(Shop.Color.unknownValue_.rawValue == "UNKNOWN_VALUE")
    #expect(Shop.Color.unknownValue_ != .unknownValue("UNKNOWN"))
  }

  @Test func supportsMoreThan256Cases() {
    let names = "\(Many._names)".split(separator: " ").map(String.init)
    #expect(Many.allCases.count == 300)
    for (value, name) in zip(Many.allCases, names) {
      #expect(value.rawValue == name)
      #expect(Many(rawValue: name) == value)
    }
    #expect(Many(rawValue: "V300") == .unknownValue("V300"))
  }

  @Test func readsTablesFromConcurrentTasks() async {
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<32 {
        group.addTask { Many(rawValue: "V7").rawValue == "V7" && Single(rawValue: "A") == .a }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  private enum Single: GraphQL.Enum {
    case a
    case unknownValue(String)
    static var _names: StaticString { "A" }
    static var _cases: [Single] { [.a] }
    func _position(_ text: inout String) -> Int {
      switch self {
      case .a: return 0
      case .unknownValue(let unknown):
        text = unknown
        return -1
      }
    }
  }
}
