import GraphQLPrinting
import GraphQLSchema
import TestSupport
import Testing

@testable import graphql_generator

@Suite("Free text of an adversarial schema does not become code")
struct AdversarialTextTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Text that would end a comment or a string, or hide a part of the line.
  static let texts: [String] = [
    "*/ let stolen = 1 /*", "\"\"\" let stolen = 1 \"\"\"", "\\(stolen())", "\\\"\"\"",
    "a\r\nlet stolen = 1", "a\rlet stolen = 1", "a\nlet stolen = 1", "a\u{2028}let stolen = 1",
    "a\u{2029}let stolen = 1", "a\u{0}b", "`let stolen`", "\u{202E}neddih\u{202C}",
    "\u{2066}hidden\u{2069}", "../../etc/passwd", "\u{85}let stolen = 1",
  ]

  @Test(arguments: texts)
  func descriptionsBecomeCommentsOnly(text: String) throws {
    let adversarial = try generatedCode(text)
    let harmless = try generatedCode("harmless")
    #expect(adversarial == harmless)
  }

  /// The generated code for a schema with the text in all free places, without comments and the
  /// contents of string literals.
  private func generatedCode(_ text: String) throws -> [String] {
    let literal = quotedString(text)
    let run = try folder.generate(
      """
      \(literal) type Query {
        \(literal) a(\(literal) b: String = \(literal)): Kind @deprecated(reason: \(literal))
      }
      \(literal) enum Kind { \(literal) ONE }
      \(literal) input Where { \(literal) text: String = \(literal) }
      """)
    #expect(run.status == .success, "\(run.error)")
    #expect(folder.names(in: "Generated") == defaultFileNames)
    return try defaultFileNames.flatMap { name in
      try folder.text("Generated/\(name)").unicodeScalars
        .split(whereSeparator: {
          "\n\r\u{2028}\u{2029}\u{85}\u{B}\u{C}".unicodeScalars.contains($0)
        })
        .map { String($0).trimmingPrefix { $0 == " " } }
        .filter { !$0.hasPrefix("///") }
        .map { line in
          guard line.hasPrefix("@available") else { return String(line) }
          #expect(line.hasSuffix("\")"))
          #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 })
          return "@available"
        }
    }
  }

  /// A GraphQL string in which all characters except letters and digits are escapes.
  private func quotedString(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      scalar.properties.isAlphabetic || scalar == " "
        ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
    }
    return "\"\(escaped.joined())\""
  }

  @Test func diagnosticsShowNoControlCharacters() throws {
    let run = try folder.generate("type Query { a: \u{1B}[2J\u{202E} }\ntype \u{7} { }")
    #expect(run.status == .problems)
    #expect(
      run.error.unicodeScalars.allSatisfy {
        $0 == "\n" || ($0.value >= 0x20 && $0.properties.generalCategory != .format)
      })
  }
}
