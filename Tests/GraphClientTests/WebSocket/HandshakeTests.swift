import Foundation
import GraphJSON
import Testing

@testable import GraphClient
@testable import GraphWebSocket

struct HandshakeTests {
  static func handshake(
    _ url: String = "wss://shop.example/graphql?a=b", _ headers: Graph.Headers = [:]
  ) throws -> Graph.Handshake {
    try Graph.Handshake(
      Graph.HTTPRequest(url: #require(URL(string: url)), headers: headers),
      subprotocol: "graphql-transport-ws", nonce: Array("the sample nonce".utf8))
  }

  static let good = """
    HTTP/1.1 101 Switching Protocols\r
    upgrade: WebSocket\r
    connection: keep-alive, Upgrade\r
    sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r
    sec-websocket-protocol: graphql-transport-ws\r
    \r

    """

  @Test(arguments: [
    ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
    ),
    (String(repeating: "a", count: 1000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
  ])
  func sha1MatchesKnownDigests(text: String, expected: String) {
    #expect(SHA1.digest(Array(text.utf8)).hexadecimal == expected)
  }

  @Test func requestMatchesTheSampleOfTheSpecification() throws {
    #expect(
      Graph.Handshake.accept(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    let text = String(decoding: try Self.handshake().bytes, as: UTF8.self)
    let lines = text.components(separatedBy: "\r\n")
    #expect(lines.first == "GET /graphql?a=b HTTP/1.1")
    for line in [
      "Host: shop.example", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Protocol: graphql-transport-ws",
    ] {
      #expect(lines.contains(line))
    }
    #expect(text.hasSuffix("\r\n\r\n"))
  }

  @Test func requestHeadersDoNotReplaceHandshakeHeaders() throws {
    let handshake = try Self.handshake(
      "http://[::1]:8080", ["Authorization": "Bearer t", "Upgrade": "h2c", "Content-Length": "3"])
    let lines = String(decoding: handshake.bytes, as: UTF8.self).components(separatedBy: "\r\n")
    #expect(lines.first == "GET / HTTP/1.1")
    #expect(lines.contains("Authorization: Bearer t") && lines.contains("Host: [::1]:8080"))
    #expect(!lines.contains("Upgrade: h2c") && !lines.contains("Content-Length: 3"))
  }

  @Test func noncesDiffer() {
    #expect(Graph.Handshake.randomNonce() != Graph.Handshake.randomNonce())
  }

  @Test(arguments: ["ftp://a/b", "/graphql", "ws:///x"])
  func rejectsInvalidURLs(url: String) throws {
    let url = try #require(URL(string: url))
    #expect(throws: Graph.TransportError.self) { try Graph.Handshake.origin(of: url) }
  }

  @Test func rejectsHeaderInjection() {
    #expect(throws: Graph.TransportError.self) {
      try Self.handshake("ws://a/", ["X-Token": "a\r\nX-Evil: b"])
    }
  }

  @Test func acceptsAValidResponse() throws {
    try Self.handshake().check(Graph.HandshakeHead(Array(Self.good.utf8)))
  }

  @Test(arguments: [
    ("101 Switching Protocols", "200 OK"), ("upgrade: WebSocket", "upgrade: h2c"),
    ("keep-alive, Upgrade", "keep-alive"), ("s3pP", "S3pP"),
    ("sec-websocket-protocol: graphql-transport-ws", "x: y"),
    ("graphql-transport-ws", "graphql-ws"), ("upgrade:", "sec-websocket-extensions: x\r\nupgrade:"),
  ])
  func rejectsInvalidResponses(part: String, replacement: String) throws {
    let text = Self.good.replacing(part, with: replacement)
    let error = #expect(throws: Graph.TransportError.self) {
      try Self.handshake().check(Graph.HandshakeHead(Array(text.utf8)))
    }
    #expect(error?.code == .invalidResponse)
    #expect(
      (error?.underlying as? Graph.HandshakeRefusal)?.status == (part.hasPrefix("101") ? 200 : nil))
  }

  @Test(arguments: [
    "\r\n\r\n", "HTTP/2 101\r\n\r\n", "HTTP/1.1 1e1 X\r\n\r\n", "SSH-2.0-x\r\n\r\n",
    "HTTP/1.1 101 X\r\nno colon\r\n\r\n", "HTTP/1.1 101 X\r\nbad name: x\r\n\r\n",
  ])
  func rejectsInvalidHTTPHeads(text: String) {
    #expect(throws: Graph.TransportError.self) { try Graph.HandshakeHead(Array(text.utf8)) }
  }

  @Test func rejectsHeadsLargerThanTheLimit() {
    var parser = Graph.HandshakeHeadParser()
    var bytes = [UInt8](repeating: 0x61, count: Graph.HandshakeHeadParser.maximumByteCount)[...]
    #expect(throws: Graph.TransportError.self) { try parser.next(&bytes) }
  }
}
