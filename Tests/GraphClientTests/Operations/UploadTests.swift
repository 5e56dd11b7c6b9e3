import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphClient

/// GraphQL multipart request specification.
struct UploadTests {
  @Test func sendsFilesInAMultipartForm() async throws {
    let transport = ScriptedTransport(.json(#"{"data":{"attach":{"name":"S"}}}"#))
    let upload = GraphQL.Upload(
      .data(Data("content".utf8)), fileName: "a.txt", contentType: "text/plain")
    _ = try await Graph.Client.test(transport)
      .mutate(Store.buildMutation { $0.attach(file: upload) { $0.name() } })
    let request = try #require(transport.requests.first)
    guard case .multipart(let form) = request.body else {
      Issue.record("no form")
      return
    }
    #expect(form.parts.map(\.name) == ["operations", "map", "0"])
    guard case .bytes(let operations) = form.parts[0].content,
      case .bytes(let map) = form.parts[1].content
    else {
      Issue.record("no bytes")
      return
    }
    let variables = try JSON(parsing: operations)["variables"]
    guard case .object(let members)? = variables, let member = members.first else {
      Issue.record("no variables")
      return
    }
    #expect(member.value == JSON.null)
    #expect(String(decoding: map, as: UTF8.self) == #"{"0":["variables.\#(member.key)"]}"#)
    #expect(form.parts[2].fileName == "a.txt" && form.parts[2].contentType == "text/plain")
    #expect(request.headers["GraphQL-Require-Preflight"] == "1")
    #expect(request.headers["Apollo-Require-Preflight"] == "true")
  }

  @Test(arguments: [
    ("image/png", "\r\nContent-Type: image/png\r\n"), ("", nil), ("\r\n", nil),
    ("text/plain\r\nX-A: 1\u{0}", "\r\nContent-Type: text/plainX-A: 1\r\n"),
  ])
  func contentTypeOfAPartIsOneHeaderField(contentType: String, field: String?) throws {
    let form = Graph.MultipartForm(
      parts: [.init(name: "0", fileName: "a", contentType: contentType, content: .bytes([]))],
      boundary: "b")
    guard case .bytes(let bytes)? = form.pieces.first else {
      Issue.record("no head")
      return
    }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "--b\r\nContent-Disposition: form-data; name=\"0\"; filename=\"a\"\(field ?? "\r\n")\r\n"
    )
  }
}
