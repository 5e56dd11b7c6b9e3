import GraphQLSchema
import Testing

/// `@semanticNonNull` and `@semanticNonNullField` are documented; the types do not change, since the
/// value is null after an error.
@Suite struct SemanticNonNullTests {
  private static let directives = """
    directive @semanticNonNull(levels: [Int] = [0]) on FIELD_DEFINITION
    directive @semanticNonNullField(name: String!, levels: [Int] = [0]) repeatable on OBJECT | INTERFACE

    """

  /// The comment and the declaration of the property `a`.
  private func property(_ sdl: String) throws -> String? {
    try Generation(Self.directives + sdl).declaration("public var a:")
  }

  @Test(arguments: [
    ("type Tree { a: Int @semanticNonNull }", "Null only with an error."),
    ("type Tree { a: Int @semanticNonNull(levels: [0]) }", "Null only with an error."),
    ("type Tree { a: Int @semanticNonNull(levels: 0) }", "Null only with an error."),
    ("type Tree @semanticNonNullField(name: \"a\") { a: Int }", "Null only with an error."),
    ("interface Tree @semanticNonNullField(name: \"a\") { a: Int }", "Null only with an error."),
    (
      "type Tree { a: [Int] @semanticNonNull(levels: [1]) }",
      "Its items are null only with an error."
    ),
    (
      "type Tree { a: [Int] @semanticNonNull(levels: [0, 1]) }",
      "It and its items are null only with an error."
    ),
    (
      "type Tree { a: [Int] } extend type Tree @semanticNonNullField(name: \"a\", levels: [1])",
      "Its items are null only with an error."
    ),
  ])
  func fieldIsDocumented(sdl: String, note: String) throws {
    let text = try #require(try property(sdl))
    #expect(text.hasPrefix("/// \(note)\npublic var a: "))
    #expect(text.contains("?"))
  }

  @Test(arguments: [
    "type Tree { a: Int b: Int @semanticNonNull }",
    "type Tree @semanticNonNullField(name: \"b\") { a: Int b: Int }",
    "type Tree { a: Int @semanticNonNull(levels: []) }",
    "type Tree { a: Int @semanticNonNull(levels: null) }",
    "type Tree { a: [[Int]] @semanticNonNull(levels: [2, 99999999999999999999]) }",
  ])
  func otherFieldsAreNotDocumented(sdl: String) throws {
    #expect(try property(sdl)?.hasPrefix("public var a: ") == true)
  }

  @Test func noteFollowsDescription() throws {
    #expect(
      try property("type Tree { \"Its age.\" a(b: Int = 1): Int @semanticNonNull }") == """
        /// Its age.
        ///
        /// Null only with an error.
        public var a: Int? { _intOpt("a") }
        """)
  }

  @Test func undefinedDirectiveIsOnlyAWarning() throws {
    let schema = try ServiceSchema(
      sdl: "type Query @semanticNonNullField(name: \"a\") { a: Int @semanticNonNull }")
    #expect(schema.warnings.map(\.code) == ["KnownDirectives", "KnownDirectives"])
  }
}
