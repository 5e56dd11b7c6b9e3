#if !canImport(Darwin)
  import CCurl
  import Foundation
  import GraphQLRuntime

  extension Graph {
    /// A multipart body that is read from its files while it is sent. A queue reads ahead, since
    /// the sending thread must not wait for a disk.
    final class UploadStream: Sendable {
      private struct State {
        /// The bytes that were read but not sent.
        var bytes: [UInt8] = []
        var sentCount = 0
        /// The pieces that were not read to their end.
        var rest: ArraySlice<Piece>
        var isReading = false
        var hasFailed = false
        var whenReadable: (@Sendable () -> Void)?

        var unsentCount: Int { bytes.count - sentCount }
      }

      private struct Piece {
        let content: MultipartForm.Part.Content
        /// The unread bytes of a file; it must have that many.
        var byteCount: Int
        var file: FileHandle?
      }

      private static let readAheadCount = 1 << 18

      /// The number of bytes of the whole body.
      let byteCount: Int
      private let state: Locked<State>
      private let queue = DispatchQueue(label: "Graph.UploadStream")

      /// - Parameter deadline: the limit for opening the files.
      /// - Returns: nil if `body` is not a multipart form.
      /// - Throws: ``TransportError``: `invalidRequest` if a file cannot be read, and `cancelled`
      ///   if the calling task is cancelled during the call.
      init?(_ body: HTTPRequest.Body, until deadline: ContinuousClock.Instant?) async throws {
        guard case .multipart(let form) = body else { return nil }
        let pieces = try await Self.pieces(of: form, until: deadline)
        byteCount = pieces.reduce(0) { $0 + $1.byteCount }
        state = Locked(State(rest: pieces[...]))
        readAhead()
      }

      /// Calls `action` whenever bytes become available after there were none.
      func whenReadable(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenReadable = action }
      }

      /// Moves the next bytes to `buffer`.
      ///
      /// - Returns: the number of bytes; `CCURL_READ_LATER` if there are none now, and
      ///   `CCURL_READ_FAILED` if a file is shorter than before or cannot be read.
      // Safe: the bytes are copied within the bounds of both.
      func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = state.withLock { state -> Int in
          let count = min(buffer.count, state.unsentCount)
          guard count > 0 else {
            return state.hasFailed ? Int(CCURL_READ_FAILED) : Int(CCURL_READ_LATER)
          }
          unsafe buffer.copyBytes(from: state.bytes[state.sentCount..<state.sentCount + count])
          state.sentCount += count
          return count
        }
        if count > 0 { readAhead() }
        return count
      }

      private static func piece(_ content: MultipartForm.Part.Content) throws -> Piece {
        switch content {
        case .bytes(let bytes): return Piece(content: content, byteCount: bytes.count)
        case .file(let url):
          let values = try url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
          guard values.isRegularFile == true, let size = values.fileSize else {
            throw CocoaError(.fileReadUnknown)
          }
          return Piece(content: content, byteCount: size)
        }
      }

      /// Reads the next bytes on the queue, unless there are enough or a read is in progress.
      private func readAhead() {
        let starts = state.withLock { state in
          guard !state.isReading, !state.hasFailed, !state.rest.isEmpty,
            state.unsentCount < Self.readAheadCount
          else { return false }
          state.isReading = true
          return true
        }
        if starts { queue.async { self.readNext() } }
      }

      private func readNext() {
        guard var piece = state.withLock({ $0.rest.first }) else { return }
        let result = Result { try Self.read(&piece) }
        let action = state.withLock { state -> (@Sendable () -> Void)? in
          state.isReading = false
          switch result {
          case .success(let bytes):
            state.bytes.removeFirst(state.sentCount)
            state.sentCount = 0
            state.bytes += bytes
            if piece.byteCount == 0 {
              state.rest.removeFirst()
            } else {
              state.rest[state.rest.startIndex] = piece
            }
          case .failure: state.hasFailed = true
          }
          return state.whenReadable
        }
        action?()
        readAhead()
      }

      /// The next bytes of a piece, whose number of remaining bytes is reduced.
      private static func read(_ piece: inout Piece) throws -> [UInt8] {
        switch piece.content {
        case .bytes(let bytes):
          piece.byteCount = 0
          return bytes
        case .file(let url):
          guard piece.byteCount > 0 else { return [] }
          let file = try piece.file ?? FileHandle.reading(url)
          piece.file = file
          let data = try file.read(upToCount: min(piece.byteCount, readAheadCount)) ?? Data()
          guard !data.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
          piece.byteCount -= data.count
          if piece.byteCount == 0 { try file.close() }
          return Array(data)
        }
      }

      /// A disk, such as a network disk, may not respond; the caller waits for it no longer than
      /// for the request.
      private static func pieces(
        of form: MultipartForm, until deadline: ContinuousClock.Instant?
      ) async throws -> [Piece] {
        let promise = Promise<[Piece]>()
        let id = deadline.map { deadline in
          ActionScheduler.shared.add(deadline) {
            promise.resolve(
              .failure(
                TransportError(
                  .timedOut, message: "the request timed out while its files were read")))
          }
        }
        defer { if let id { ActionScheduler.shared.remove(id) } }
        DispatchQueue.global().async {
          promise.resolve(
            Result { try form.pieces.map(piece) }.mapError {
              TransportError(
                .invalidRequest, message: "a file to upload cannot be read", underlying: $0)
            })
        }
        return try await withTaskCancellationHandler {
          try await promise.value
        } onCancel: {
          promise.resolve(.failure(TransportError.cancelled(bytesSent: false)))
        }
      }
    }
  }
#endif
