extension Graph {
  /// Reads a body whose connection counts as broken when nothing arrives for too long.
  // Safe: one task reads at a time: who holds the stream, until the task it reads in has ended.
  final class ChunkReader: @unchecked Sendable {
    private var chunks: HTTPResponse.Body.Iterator
    private let silence: Duration?
    private let time: any TimeSource

    /// - Parameter silence: how long nothing may arrive; nil is no limit.
    init(_ body: HTTPResponse.Body, silence: Duration?, time: any TimeSource) {
      chunks = body.makeAsyncIterator()
      self.silence = silence
      self.time = time
    }

    /// What arrives next, nil at the end.
    nonisolated(nonsending) func next() async throws -> [UInt8]? {
      guard let silence else { return try await chunks.next() }
      return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
        group.addTask { try await self.chunks.next() }
        group.addTask { [time] in
          try await time.sleep(for: silence)
          throw TransportError(
            .connectionLost, message: "nothing came for \(silence)", bytesSent: true)
        }
        // Cancelling the task that reads ends the transfer.
        defer { group.cancelAll() }
        return try await group.next() ?? nil
      }
    }
  }
}
