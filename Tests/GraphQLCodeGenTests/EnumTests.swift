import Testing

@Suite struct EnumTests {
  @Test func generatesCasesAndNames() throws {
    let module = try Generation(
      """
      "How to sort."
      enum SortKey {
        "By price."
        PRICE
        BEST_SELLING
        CA
      }
      """)
    #expect(
      module.declaration("public enum SortKey") == """
        /// How to sort.
        public enum SortKey: GraphQL.Enum {
          /// By price.
          case price
          case bestSelling
          case ca
          /// A value that the schema does not list, by its text.
          case unknownValue(String)

          public static var _names: StaticString {
            "PRICE BEST_SELLING CA"
          }

          public static var _cases: [SortKey] {
            [.price, .bestSelling, .ca]
          }

          public func _position(_ text: inout String) -> Int {
            switch self {
            case .price: return 0
            case .bestSelling: return 1
            case .ca: return 2
            case .unknownValue(let unknown):
              text = unknown
              return -1
            }
          }
        }
        """)
  }

  @Test func membersThatNameDeprecatedCasesCauseNoWarning() throws {
    let module = try Generation("enum E { A B @deprecated(reason: \"Use `A`.\") }")
    #expect(
      module.declaration("public enum E") == """
        public enum E: GraphQL.Enum {
          case a
          @available(*, deprecated, message: "Use `A`.")
          case b
          /// A value that the schema does not list, by its text.
          case unknownValue(String)

          public static var _names: StaticString {
            "A B"
          }

          @available(*, deprecated)
          public static var _cases: [E] {
            [.a, .b]
          }

          @available(*, deprecated)
          public func _position(_ text: inout String) -> Int {
            switch self {
            case .a: return 0
            case .b: return 1
            case .unknownValue(let unknown):
              text = unknown
              return -1
            }
          }
        }
        """)
  }

  @Test(
    "A case for each value, whatever they are called",
    arguments: [
      ("UNKNOWN_VALUE", ["unknownValue_"]),
      ("UNKNOWN_VALUE UNKNOWN_VALUE_", ["unknownValue__", "unknownValue_"]),
      ("CA FOO_BAR bar_foo Baz", ["ca", "fooBar", "barFoo", "baz"]),
      ("SELF INIT TYPE DEFAULT NIL IN", ["self_", "init_", "type", "`default`", "`nil`", "`in`"]),
      ("ALL_CASES _names _", ["allCases_", "_names_", "__"]),
      ("_FOO FOO_ A__B V2_0", ["_foo", "foo_", "aB", "v2_0"]),
      ("mixedCase Mixed_Words HTMLBody", ["mixedCase", "mixedWords", "htmlBody"]),
    ])
  func convertsValuesToCaseNames(values: String, cases: [String]) throws {
    let module = try Generation("enum E { \(values) }")
    let declared = module.declaration("public enum E")?.split(separator: "\n")
      .filter { $0.hasPrefix("  case ") }.map { String($0.dropFirst(7)) }
    #expect(declared == cases + ["unknownValue(String)"])
    #expect(module.text.contains("\"\(values)\""))
  }
}
