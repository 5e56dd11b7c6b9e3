/// Pieces of responses.
package enum HTTPBytes {
  /// The response that both a queued mutation and a transport can read.
  package static let response =
    #"{"data":{"cartNoteUpdate":{"__typename":"CartNoteUpdatePayload","cart":null,"userErrors":[]}}}"#

  /// A response with a length.
  package static func text(
    _ status: String = "HTTP/1.1 200 OK", _ headers: [String] = [], body: String = response
  ) -> String {
    let lines =
      [status, "Content-Type: application/json"] + headers + ["Content-Length: \(body.utf8.count)"]
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
  }

  package static func response(
    _ status: String = "HTTP/1.1 200 OK", _ headers: [String] = []
  ) -> [UInt8] {
    Array(text(status, headers).utf8)
  }

  /// A response with these lines after the status line, and nothing else.
  package static func raw(
    _ lines: [String] = [], status: String = "HTTP/1.1 200 OK", body: String = response
  ) -> String {
    ([status, "Content-Type: application/json"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
      + body
  }

  /// The head of a response in chunks.
  package static let chunkedHead =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"

  /// The response in two chunks, without the last chunk.
  package static func chunks(extension: String = "") -> String {
    let (first, second) = (response.prefix(20), response.dropFirst(20))
    return [first, second]
      .map { "\(String($0.utf8.count, radix: 16))\(`extension`)\r\n\($0)\r\n" }.joined()
  }

  /// A complete response in chunks.
  package static var chunked: String { chunkedHead + chunks() + "0\r\n\r\n" }

  /// A response with a content coding.
  package static func coded(_ coding: String, _ content: [UInt8]) -> [UInt8] {
    let head = [
      "HTTP/1.1 200 OK", "Content-Type: application/json", "Content-Encoding: \(coding)",
      "Content-Length: \(content.count)",
    ]
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + content
  }

  static func contentLength(of head: [UInt8]) -> Int {
    for line in String(decoding: head, as: UTF8.self).split(separator: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
      return Int(parts[1].trimmingPrefix(" ")) ?? 0
    }
    return 0
  }
}
