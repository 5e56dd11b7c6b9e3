@testable import GraphClient

extension Graph.HTTPResponse.Body {
  /// The whole body as text.
  func text() async throws -> String {
    String(decoding: try await collect(upTo: .max), as: UTF8.self)
  }
}
