import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

/// URLs as servers send them.
@Suite struct URLTests {
  @Test(arguments: [
    "https://a.b/c?d=1&e=%20#f", "//cdn.example.com/x", "/path", "x", "?q", "https://[::1]:8080/",
    "mailto:a@b.c", "data:text/plain,hi", "https://a.b/(1)/!$'*+,;=:@~",
  ])
  func parsesAndFormatsURLs(_ text: String) throws {
    let url = try GraphQL.URL(scalar: .string(text))
    #expect(url.absoluteString == text && url.scalar == .string(text))
  }

  @Test func encodesNonASCIICharacters() throws {
    let url = try GraphQL.URL(scalar: "https://a.b/é?ü")
    #expect(url.absoluteString == "https://a.b/%C3%A9?%C3%BC")
    #expect(try GraphQL.URL(scalar: url.scalar) == url)
  }

  @Test(arguments: [
    "", " ", "a b", "https://a.b/ ", "\thttps://a.b", "https://a.b/\n", "https://a.b/<x>",
    "https://a.b/\"", "https://a.b/{x}", "https://a.b/a|b", "https://a.b/^", "https://a.b/`",
    "https://a.b/\\", "https://a.b/%zz", "https://a.b/%", "https://a.b/%4", "http://a b", "\u{7F}",
  ])
  func rejectsInvalidURLs(_ text: String) {
    #expect(throws: GraphQL.ScalarMismatch.self) { try GraphQL.URL(scalar: .string(text)) }
  }

  @Test func rejectsOtherJSON() {
    for json in [1, nil, []] as [GraphQL.JSON] {
      #expect(throws: GraphQL.ScalarMismatch.self) { try GraphQL.URL(scalar: json) }
    }
  }
}
