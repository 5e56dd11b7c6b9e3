import Foundation
import Testing

@testable import GraphClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct TransportErrorTests {
  /// The platform's errors contain the address with its user information and query.
  @Test func underlyingErrorKeepsOnlyCodeAndText() throws {
    let address = "https://user:secret@shop.example/?key=secret"
    let entries: [String: Any] = [
      "NSErrorFailingURLStringKey": address, NSLocalizedDescriptionKey: "It broke.",
      NSUnderlyingErrorKey: NSError(domain: "inner", code: 1, userInfo: ["address": address]),
    ]
    for error in [
      URLError(.networkConnectionLost, userInfo: entries),
      NSError(domain: "other", code: 7, userInfo: entries),
    ] as [any Error] {
      let failure = Graph.TransportError(urlSession: error)
      var dumped = ""
      dump(failure, to: &dumped)
      let texts = [
        dumped, String(reflecting: failure), "\(Graph.QueryError(failure))",
      ]
      #expect(texts.allSatisfy { !$0.contains("secret") })
      #expect(failure.code == .connectionLost)
      let cause = try #require(failure.underlying)
      #expect(cause.localizedDescription.contains("It broke."))
      #expect((cause as NSError).code == (error as NSError).code)
    }
  }
}
