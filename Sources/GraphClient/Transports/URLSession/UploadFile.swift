import Foundation
import GraphQLRuntime

extension Graph {
  /// A multipart body written to one file that only the user can read, since URLSession streams
  /// files from disk on every platform. It is removed when its transfer ends.
  final class UploadFile: Sendable {
    let url: URL

    /// - Parameter deadline: writing ends when it passes.
    /// - Returns: nil if `body` is not a multipart form.
    /// - Throws: ``TransportError``: `invalidRequest`, `cannotWriteFile`, or `cancelled` if the calling task is
    ///   cancelled during the call.
    init?(_ body: HTTPRequest.Body, until deadline: ContinuousClock.Instant? = nil) async throws {
      guard case .multipart(let form) = body else { return nil }
      let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("graph-upload-\(UUID().uuidString)")
      self.url = url
      let isCancelled = Locked(false)
      do {
        try await withTaskCancellationHandler {
          try await Self.onBackgroundThread {
            try form.write(to: url) {
              if isCancelled.withLock({ $0 }) { throw TransportError.cancelled(bytesSent: false) }
              if let deadline, deadline <= .now {
                throw TransportError(
                  .timedOut, message: "the request timed out while its files were read")
              }
            }
          }
        } onCancel: {
          isCancelled.withLock { $0 = true }
        }
      } catch {
        try? FileManager.default.removeItem(at: url)
        throw error
      }
    }

    func remove() { try? FileManager.default.removeItem(at: url) }

    deinit { remove() }

    private static func onBackgroundThread(
      _ work: @escaping @Sendable () throws -> Void
    ) async throws {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        DispatchQueue.global().async { continuation.resume(with: Result(catching: work)) }
      }
    }
  }
}

extension Graph.MultipartForm {
  /// Writes the body to a new file with the permissions 0600, a piece at a time.
  ///
  /// - Parameter check: called before each piece; an error that it throws ends the writing.
  /// - Throws: errors of `check`, and ``TransportError``: `invalidRequest` if a file cannot be read, and
  ///   `cannotWriteFile` if the new file cannot be written.
  func write(to url: URL, _ check: () throws -> Void) throws {
    guard
      FileManager.default.createFile(
        atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw Graph.TransportError.cannotWriteFile(CocoaError(.fileWriteUnknown)) }
    let output = try writing { try FileHandle(forWritingTo: url) }
    defer { try? output.close() }
    for piece in pieces {
      switch piece {
      case .bytes(let bytes): try writing { try output.write(contentsOf: Data(bytes)) }
      case .file(let source):
        let input = try reading { try FileHandle.reading(source) }
        defer { try? input.close() }
        while let piece = try reading({ try input.read(upToCount: 1 << 18) }), !piece.isEmpty {
          try check()
          try writing { try output.write(contentsOf: piece) }
        }
      }
    }
  }
}

extension Graph.TransportError {
  /// Unlike a file that cannot be read, this is worth a later attempt.
  static func cannotWriteFile(_ error: any Error) -> Graph.TransportError {
    Graph.TransportError(
      .cannotWriteFile, message: "a copy of a file to upload cannot be written", underlying: error)
  }
}

private func reading<Value>(_ read: () throws -> Value) throws(Graph.TransportError) -> Value {
  do {
    return try read()
  } catch {
    throw Graph.TransportError(
      .invalidRequest, message: "a file to upload cannot be read", underlying: error)
  }
}

private func writing<Value>(_ write: () throws -> Value) throws(Graph.TransportError) -> Value {
  do {
    return try write()
  } catch {
    throw .cannotWriteFile(error)
  }
}
