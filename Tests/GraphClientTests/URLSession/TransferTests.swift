import Foundation
import Testing

@testable import GraphClient

/// A request on its way whose session is the test.
struct TransferTests {
  private let deadlines = Graph.Deadlines()
  private let transfer: Graph.Transfer

  init() {
    transfer = Graph.Transfer(
      url: .endpoint, maximumUnreadBytes: 100, isWhole: true, upload: nil, deadlines: deadlines
    ) {}
    transfer.limit(to: .now + .seconds(3600), sparesStreams: false)
  }

  /// The session says that it has ended when it has put the connection away: that is not waited for.
  @Test func aWholeAnswerIsThereWithItsLastByte() async throws {
    let response = try await transfer.response {
      #expect(transfer.didReceiveHead(status: 200, headers: ["Content-Length": "5"]))
      transfer.didReceive(Data("ab".utf8))
      #expect(deadlines.count == 1)
      transfer.didReceive(Data("cde".utf8))
    }
    #expect(deadlines.count == 0)
    transfer.didComplete(.staleConnection)
    #expect(try await response.body.text() == "abcde")
  }

  @Test(
    arguments: [
      (200, [:]), (200, ["Content-Length": "five"]), (200, ["Content-Length": "6"]),
      (200, ["Content-Length": "5", "Content-Encoding": "gzip"]),
      (200, ["Content-Length": "5", "Transfer-Encoding": "chunked"]),
      (401, ["Content-Length": "5"]), (302, ["Content-Length": "5"]),
    ] as [(Int, Graph.Headers)])
  func othersAreThereWhenTheSessionSaysSo(status: Int, headers: Graph.Headers) async throws {
    let response = try await transfer.response {
      #expect(transfer.didReceiveHead(status: status, headers: headers))
      transfer.didReceive(Data("abcde".utf8))
      #expect(deadlines.count == 1)
      transfer.didComplete(nil)
    }
    #expect(deadlines.count == 0)
    #expect(try await response.body.text() == "abcde")
  }
}
