import Foundation
import GraphQLRuntime
import GraphStore
import StorefrontAPI
import Testing

@testable import GraphOutbox

/// No file contains the server's response to a queued operation if objects of its types must not be
/// in a file.
struct TransientResponseTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  @Test func transientResponsesAreNotWrittenToTheFile() async throws {
    let (outbox, store) = try await shop.run()
    let id = Graph.TemporaryKey.make()
    try await outbox.queue(shop.creation, for: shop.cart(id))
    try await outbox.queue(shop.note("ring", id), for: shop.cart(id))
    await outbox.flush()
    #expect(shop.server.effects.log == ["create gid://Cart/1", "gid://Cart/1 ring"])
    #expect(try shop.note(of: "gid://Cart/1", in: store) == "ring")
    // The response has no space after a colon, and the documents have no quotes around names.
    let folder = shop.file.deletingLastPathComponent()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let bytes = try Data(contentsOf: folder.appending(path: name))
      for text in [#""cartCreate":"#, #""cartNoteUpdate":"#] {
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text) is in \(name)")
      }
    }
  }
}
