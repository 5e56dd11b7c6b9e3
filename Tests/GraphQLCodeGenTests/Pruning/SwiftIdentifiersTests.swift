import Testing

@testable import GraphQLCodeGen

@Suite struct SwiftIdentifiersTests {
  private func words(of source: String) -> SwiftIdentifiers {
    var words = SwiftIdentifiers()
    words.collect(from: Array(source.utf8))
    return words
  }

  @Test(arguments: [
    "$0.title()", "product.title", "\\.title", "`title`", "let title: Int", "x.title\r\n",
    "title", "(title)", "a+title", "title2.title", "// reads title", #".field("title")"#,
    #""\(product.title)""#, "é.title", "#if title",
  ])
  func findsWordsInEveryContext(source: String) {
    #expect(words(of: source).contains("title"))
  }

  @Test(arguments: ["titles", "subtitle", "_title", "title_", "title2", "Title", "ti tle", ""])
  func ignoresPartsOfWords(source: String) {
    #expect(!words(of: source).contains("title"))
  }

  @Test func findsKeywordsWithAndWithoutBackticks() {
    #expect(words(of: "$0.default()").contains("`default`"))
    #expect(words(of: "$0.`default`()").contains("`default`"))
    #expect(!words(of: "$0.other()").contains("`default`"))
  }

  @Test func collectsWordsFromSeveralSources() {
    var words = SwiftIdentifiers()
    words.collect(from: Array("one".utf8))
    words.collect(from: Array("two".utf8))
    #expect(words.contains("one"))
    #expect(words.contains("two"))
  }

  @Test func readsInvalidUTF8() {
    var words = SwiftIdentifiers()
    words.collect(from: [0xFF, 0x00] + Array("title".utf8) + [0xC3])
    #expect(words.contains("title"))
  }
}
