import Testing

/// Default values are values of their type (section 3.10, with the coercion rules of chapter 3).
@Suite struct DefaultValueRuleTests {
  private static let types = """
    type Query { a: Int }
    enum E { A B }
    input I { a: Int! b: [Int!] c: E }
    input O @oneOf { a: Int b: Int }
    scalar Any
    """

  @Test(arguments: [
    (
      "a string for Int", "Int", #""1""#,
      "6:20", #"The string "1" is not a value of "Int"."#,
      #"1"#
    ),
    (
      "an Int out of range", "Int", #"2147483648"#,
      "6:20", #""2147483648" does not fit into 32 bits."#,
      #"2147483647"#
    ),
    (
      "a float for Int", "Int", #"1.0"#,
      "6:20", #"The number "1.0" is not a value of "Int"."#,
      #"-1"#
    ),
    (
      "a string for Float", "Float", #""1""#,
      "6:22", #"The string "1" is not a value of "Float"."#,
      #"1e3"#
    ),
    (
      "a float beyond double precision", "Float", #"1e999"#,
      "6:22", #"The number "1e999" is not a value of "Float"."#,
      #"1"#
    ),
    (
      "a number for String", "String", #"1"#,
      "6:23", #"The number "1" is not a value of "String"."#,
      #""1""#
    ),
    (
      "a number for Boolean", "Boolean", #"1"#,
      "6:24", #"The number "1" is not a value of "Boolean"."#,
      #"true"#
    ),
    (
      "a boolean for ID", "ID", #"true"#,
      "6:19", #"true is not a value of "ID"."#,
      #"1"#
    ),
    (
      "null for a non-null type", "Int!", #"null"#,
      "6:21", #"null is not a value of "Int!"."#,
      #"0"#
    ),
    (
      "null in a list of non-null items", "[Int!]", #"[1, null]"#,
      "6:27", #"null is not a value of "Int!"."#,
      #"[1]"#
    ),
    (
      "a wrong item", "[Int]", #"[1, A]"#,
      "6:26", #"The enum value "A" is not a value of "Int"."#,
      #"[1, null]"#
    ),
    (
      "a wrong single value for a list", "[Int]", #"A"#,
      "6:22", #"The enum value "A" is not a value of "Int"."#,
      #"1"#
    ),
    (
      "a list for a single value", "Int", #"[1]"#,
      "6:20", #"A list is not a value of "Int"."#,
      #"1"#
    ),
    (
      "an unknown enum value", "E", #"C"#,
      "6:18", #""C" is not a value of "E"."#,
      #"B"#
    ),
    (
      "a string for an enum value", "E", #""A""#,
      "6:18", #"The string "A" is not a value of "E". Enum values are written without quotes: A."#,
      #"A"#
    ),
    (
      "an unknown input field", "I", #"{ a: 1, d: 2 }"#,
      "6:26", #""I" has no input field "d"."#,
      #"{ a: 1 }"#
    ),
    (
      "a missing input field", "I", #"{ b: [1] }"#,
      "6:18", #"The input field "I.a" of type "Int!" is missing."#,
      #"{ a: 1, b: [1] }"#
    ),
    (
      "a repeated input field", "I", #"{ a: 1, a: 2 }"#,
      "6:26", #"The input field "a" is given more than once."#,
      #"{ a: 1, b: 2 }"#
    ),
    (
      "a wrong nested value", "I", #"{ a: 1, c: D }"#,
      "6:29", #""D" is not a value of "E"."#,
      #"{ a: 1, c: A }"#
    ),
    (
      "a scalar for an input object", "I", #"1"#,
      "6:18", #"The number "1" is not a value of "I"."#,
      #"{ a: 1 }"#
    ),
    (
      "two fields for @oneOf", "O", #"{ a: 1, b: 2 }"#,
      "6:18", #"Exactly one input field of "O" must be given, and it must not be null."#,
      #"{ a: 1 }"#
    ),
    (
      "a null field for @oneOf", "O", #"{ a: null }"#,
      "6:18", #"Exactly one input field of "O" must be given, and it must not be null."#,
      #"{ b: 1 }"#
    ),
  ])
  func rejectsDefaultValuesOfWrongType(
    title: String, type: String, wrong: String, place: String, message: String, right: String
  ) {
    RuleCase(
      title, invalid: Self.types + "\ninput T { f: \(type) = \(wrong) }",
      findings: [#"\#(place) DefaultValues: The default value of "T.f" is invalid: \#(message)"#],
      valid: Self.types + "\ninput T { f: \(type) = \(right) }"
    ).check()
  }

  @Test(arguments: [
    RuleCase(
      "an argument's default value",
      invalid: """
        type Query { a(b: Int = A): Int }
        """,
      findings: [
        #"1:25 DefaultValues: The default value of "Query.a(b:)" is invalid: The enum value "A" is not a value of "Int"."#
      ],
      valid: """
        type Query { a(b: Int = 1): Int }
        """),
    RuleCase(
      "a directive argument's default value",
      invalid: """
        type Query { a: Int }
        directive @a(b: Int = A) on FIELD
        """,
      findings: [
        #"2:23 DefaultValues: The default value of "@a(b:)" is invalid: The enum value "A" is not a value of "Int"."#
      ],
      valid: """
        type Query { a: Int }
        directive @a(b: Int = 1) on FIELD
        """),
  ])
  func validatesDefaultValuesInAllLocations(_ rule: RuleCase) { rule.check() }
}
