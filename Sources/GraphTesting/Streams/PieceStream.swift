/// Pieces of a body, pulled as they are read.
struct PieceStream: AsyncSequence, Sendable {
  typealias Element = [UInt8]
  typealias Failure = any Error

  /// Begins the body.
  let begin: @Sendable () -> () async throws -> [UInt8]?

  func makeAsyncIterator() -> Iterator { Iterator(pull: begin()) }

  struct Iterator: AsyncIteratorProtocol {
    let pull: () async throws -> [UInt8]?

    mutating func next() async throws -> [UInt8]? { try await pull() }
  }
}
