import Foundation
import GraphClient

/// Prints network traffic. It prints header fields as ``Graph/Headers`` shows them, without
/// secrets.
struct TracingTransport: Graph.Transport {
  let base: any Graph.Transport
  let screen: Screen

  var additionalHeaders: Graph.Headers { base.additionalHeaders }

  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    screen.traffic("> \(request) \(request.headers)")
    switch request.body {
    case .none: break
    case .bytes(let bytes): show(bytes, "> ")
    case .multipart(let form): screen.traffic("> a form of \(form.parts.count) parts")
    }
    let response = try await base.send(request)
    screen.traffic("< \(response.status) \(response.headers)")
    let chunks = Chunks(base: response.body) { show($0, "< ") }
    return Graph.HTTPResponse(
      status: response.status, headers: response.headers, url: response.url,
      body: Graph.HTTPResponse.Body(chunks))
  }

  private func show(_ bytes: [UInt8], _ prefix: String) {
    let text = String(decoding: bytes, as: UTF8.self)
    for line in text.split(whereSeparator: \.isNewline) { screen.traffic(prefix + line) }
  }
}

/// Passes the pieces of a body to a closure as they arrive.
private struct Chunks: AsyncSequence, Sendable {
  typealias Element = [UInt8]
  typealias Failure = any Error

  let base: Graph.HTTPResponse.Body
  let show: @Sendable ([UInt8]) -> Void

  func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), show: show) }

  struct Iterator: AsyncIteratorProtocol {
    var base: Graph.HTTPResponse.Body.Iterator
    let show: ([UInt8]) -> Void

    mutating func next() async throws -> [UInt8]? {
      let chunk = try await base.next()
      if let chunk { show(chunk) }
      return chunk
    }
  }
}
