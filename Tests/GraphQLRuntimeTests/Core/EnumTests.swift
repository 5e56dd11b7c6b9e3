import GraphQLRuntime
import Testing

/// Enums as tables of names (specification: 3.9 Enums).
@Suite struct EnumTests {
  @Test func convertsBetweenNamesAndCases() {
    #expect(Shop.Color.deepRed.rawValue == "DEEP_RED")
    #expect(Shop.Color(rawValue: "GREEN") == .green)
    #expect(Shop.Color(rawValue: "green") == .unknownValue)
    #expect(Shop.Color(rawValue: "") == .unknownValue)
    #expect(Shop.Color.unknownValue.rawValue.isEmpty)
    #expect(Shop.Color.unknownValue.description == "unknownValue")
    #expect(Shop.Color.green.description == "GREEN")
    #expect(Set(Shop.Color.allCases).count == 4)
  }

  @Test func schemaValueNamedUnknownValueIsDistinct() {
    #expect(Shop.Color(rawValue: "UNKNOWN_VALUE") == .unknownValue_)
    #expect(Shop.Color.unknownValue_.rawValue == "UNKNOWN_VALUE")
    #expect(Shop.Color.unknownValue_ != .unknownValue)
  }

  @Test func supportsMoreThan256Cases() {
    let names = "\(Many._names)".split(separator: " ").map(String.init)
    #expect(Many.allCases.count == 301)
    for (value, name) in zip(Many.allCases, names) {
      #expect(value.rawValue == name)
      #expect(Many(rawValue: name) == value)
    }
    #expect(Many(rawValue: "V300") == .unknownValue)
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
    case a, unknownValue
    static var _names: StaticString { "A" }
  }
}
