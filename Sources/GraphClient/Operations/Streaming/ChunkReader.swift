extension Graph {
  /// Reads a body whose connection counts as lost if nothing arrives for too long.
  // Safe: one task reads at a time: the owner of the stream, until the task in which it reads has
  // ended. An abandoned read may continue; nothing is read after it.
  final class ChunkReader: @unchecked Sendable {
    private var chunks: HTTPResponse.Body.Iterator
    /// Set when a read was abandoned.
    private var failure: (any Error)?
    private let idleTimeout: Duration?
    private let time: any TimeSource

    /// - Parameter idleTimeout: the maximum idle time; nil means no limit.
    init(_ body: HTTPResponse.Body, idleTimeout: Duration?, time: any TimeSource) {
      chunks = body.makeAsyncIterator()
      self.idleTimeout = idleTimeout
      self.time = time
    }

    /// The next bytes, nil at the end. It returns when the idle time is over or the calling task is
    /// cancelled, even if the body ignores that; both end the transfer.
    nonisolated(nonsending) func next() async throws -> [UInt8]? {
      guard let idleTimeout else { return try await chunks.next() }
      if let failure { throw failure }
      do {
        return try await Graph.abandonable { giveUp in
          [
            time.schedule(after: idleTimeout) {
              giveUp(
                TransportError(
                  .connectionLost, message: "no bytes were received for \(idleTimeout)",
                  bytesSent: true))
            }
          ]
        } work: {
          try await self.chunks.next()
        }
      } catch {
        failure = error
        throw error
      }
    }
  }
}
