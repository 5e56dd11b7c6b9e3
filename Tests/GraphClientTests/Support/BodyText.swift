@testable import GraphClient

extension Graph.HTTPResponse.Body {
  /// Everything, as text.
  func text() async throws -> String {
    String(decoding: try await collect(upTo: .max), as: UTF8.self)
  }
}
