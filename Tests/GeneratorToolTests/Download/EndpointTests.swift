import Testing

@testable import graphql_generator

@Suite("The address of a service")
struct EndpointTests {
  @Test(arguments: [
    ("https://a.test", "https://a.test:443"),
    ("HTTP://A.Test/graphql?key=1#part", "http://a.test:80"),
    ("http://a.test:8080?key=1", "http://a.test:8080"),
    ("https://a.test:/graphql", "https://a.test:443"),
    ("http://127.0.0.1:4000/graphql", "http://127.0.0.1:4000"),
    ("http://[::1]:4000/graphql", "http://[::1]:4000"),
    ("https://my_shop.a-b.test/api/2026-07/graphql.json", "https://my_shop.a-b.test:443"),
  ])
  func originConsistsOfSchemeHostAndPort(address: String, origin: String) throws {
    let endpoint = try #require(Endpoint(address))
    #expect(endpoint.origin == origin)
    #expect(endpoint.address == address)
  }

  @Test(arguments: [
    ("https://a.test", "https://a.test"),
    ("https://a.test/graphql?key=s3cr3t", "https://a.test/graphql"),
    ("https://a.test?key=s3cr3t", "https://a.test"),
    ("https://a.test/graphql#s3cr3t?", "https://a.test/graphql"),
  ])
  func shownAddressOmitsQueryAndFragment(address: String, shown: String) throws {
    #expect(try #require(Endpoint(address)).shown == shown)
  }

  /// An address that could be read as a host other than the one that libcurl connects to is
  /// refused.
  @Test(arguments: [
    "", "a.test", "/graphql", "//a.test", "ftp://a.test", "https:a.test", "https:/a.test",
    "https://", "https:///graphql", "https://:443", "https://?a.test",
    "https://user@a.test", "https://user:password@a.test", "https://a.test@b.test",
    #"https://a.test\@b.test"#, #"https://a.test\b.test"#, "https://a%2Etest", "https://a,b.test",
    "https://bücher.test", "https://\u{212A}.test", "https://a.test/é", "https://\u{301}a.test",
    "https://a.test:80:80",
    "https://a.test:+80", "https://a.test:-1", "https://a.test:65536", "https://a.test:eighty",
    "https://[::1", "https://[]", "https://[::1]a.test", "https://[::1@b.test]", "https://::1",
    "https://a.test/a b", "https://a.test\n", "https://a.test/\u{7F}", " https://a.test",
  ])
  func rejectsInvalidAddresses(text: String) {
    #expect(Endpoint(text) == nil)
  }
}
