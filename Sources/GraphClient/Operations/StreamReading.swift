import GraphJSON

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

extension Graph {
  /// An event of a stream of server-sent events (HTML standard, 9.2 Server-sent events).
  struct ServerEvent: Equatable, Sendable {
    /// `message` if the server states none.
    var type = "message"
    var data = ""
  }

  /// Splits a stream of server-sent events as its bytes arrive.
  struct EventStreamParser {
    /// The maximum number of bytes of one event.
    private let maximumByteCount: Int
    private var line: [UInt8] = []
    /// A line feed that follows a carriage return belongs to it.
    private var lastWasReturn = false
    private var isFirstLine = true
    private var type = ""
    private var data: [UInt8] = []
    private var hasData = false
    /// The last `id`, which a new connection sends to the server.
    private(set) var lastEventID: String?
    /// Set when an event has too many bytes; nothing is parsed after it.
    private(set) var failure: TransportError?

    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    /// The events that `bytes` complete, up to a ``failure``.
    mutating func feed(_ bytes: [UInt8]) -> [ServerEvent] {
      var events: [ServerEvent] = []
      for byte in bytes where failure == nil {
        let follows = lastWasReturn && byte == UInt8(ascii: "\n")
        lastWasReturn = byte == UInt8(ascii: "\r")
        if follows { continue }
        if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
          if let event = endLine() { events.append(event) }
        } else {
          line.append(byte)
          if line.count + data.count > maximumByteCount {
            failure = TransportError(
              .tooLarge, message: "an event has more than \(maximumByteCount) bytes",
              bytesSent: true)
          }
        }
      }
      return events
    }

    private mutating func endLine() -> ServerEvent? {
      defer { line = [] }
      if isFirstLine {
        isFirstLine = false
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
      }
      guard !line.isEmpty else { return dispatch() }
      let colon = line.firstIndex(of: UInt8(ascii: ":"))
      var value = colon.map { line[($0 + 1)...] } ?? []
      if value.first == UInt8(ascii: " ") { value.removeFirst() }
      switch String(decoding: line[..<(colon ?? line.count)], as: UTF8.self) {
      case "event": type = String(decoding: value, as: UTF8.self)
      case "data":
        if hasData { data.append(UInt8(ascii: "\n")) }
        data += value
        hasData = true
      case "id" where !value.contains(0): lastEventID = String(decoding: value, as: UTF8.self)
      // Comments, which keep a connection alive, and obsolete fields.
      default: break
      }
      return nil
    }

    private mutating func dispatch() -> ServerEvent? {
      defer {
        type = ""
        data = []
        hasData = false
      }
      // GraphQL's `complete` may come without data, which the standard would not dispatch.
      guard hasData || !type.isEmpty else { return nil }
      return ServerEvent(
        type: type.isEmpty ? "message" : type, data: String(decoding: data, as: UTF8.self))
    }
  }
}

extension Graph {
  /// Splits a body of type `multipart/mixed` as its bytes arrive (RFC 2046, section 5.1).
  struct MultipartParser {
    private let delimiter: [UInt8]
    /// The maximum number of bytes of one part.
    private let maximumByteCount: Int
    private var buffer: [UInt8]
    /// The number of bytes in the buffer that contain no delimiter.
    private var searched = 0
    private var isInPreamble = true
    /// The part that ``earlyPart()`` has returned, until its delimiter arrives.
    private var early: [UInt8]?
    /// The size of the buffer below which ``earlyPart()`` does not parse it again.
    private var nextAttempt = 0
    /// Whether the delimiter that ends the body has arrived.
    private(set) var isComplete = false
    /// Set when a part has too many bytes; nothing is parsed after it.
    private(set) var failure: TransportError?

    init(boundary: String, maximumByteCount: Int) {
      delimiter = Array("\r\n--\(boundary)".utf8)
      self.maximumByteCount = maximumByteCount
      // Makes a delimiter at the very start like all others.
      buffer = Array("\r\n".utf8)
    }

    /// The bodies of the parts that `bytes` complete, up to a ``failure``.
    mutating func feed(_ bytes: [UInt8]) -> [[UInt8]] {
      guard !isComplete, failure == nil else { return [] }
      buffer += bytes
      var parts: [[UInt8]] = []
      while let start = nextDelimiter(), let end = delimiterEnd(start) {
        if !isInPreamble {
          let body = Self.body(of: buffer[..<start])
          guard body.count <= maximumByteCount else {
            fail()
            return parts
          }
          if !isEarly(body) { parts.append(body) }
        }
        isInPreamble = false
        early = nil
        nextAttempt = 0
        buffer.removeFirst(end.offset)
        searched = 0
        if end.isLast {
          isComplete = true
          buffer = []
          return parts
        }
      }
      if buffer.count > maximumByteCount + delimiter.count + 4 { fail() }
      return parts
    }

    /// The part that has not ended, if its delimiter has arrived without the bytes after it, or if it is a complete
    /// JSON object already; it is returned once. Some servers send the delimiter of a part, or the end of that, with
    /// the next part, which may come much later.
    mutating func earlyPart() -> [UInt8]? {
      guard !isInPreamble, !isComplete, failure == nil, early == nil else { return nil }
      if let delimiter = nextDelimiter() {
        let body = Self.body(of: buffer[..<delimiter])
        early = body
        return body.isEmpty ? nil : body
      }
      let part = buffer[..<(buffer.count - partialDelimiterCount)]
      guard part.count >= nextAttempt, part.last(where: { $0 > 0x20 }) == UInt8(ascii: "}")
      else { return nil }
      // Parses a part that arrives in many pieces only a few times.
      nextAttempt = 2 * part.count
      let body = Self.body(of: part)
      guard (try? JSONDocument(parsing: body)) != nil else { return nil }
      early = body
      return body
    }

    private mutating func fail() {
      failure = TransportError(
        .tooLarge, message: "a part has more than \(maximumByteCount) bytes", bytesSent: true)
    }

    private func isEarly(_ body: [UInt8]) -> Bool {
      guard let early else { return false }
      return body.withoutTrailingSpace == early.withoutTrailingSpace
    }

    /// The number of bytes at the end of the buffer that may begin a delimiter.
    private var partialDelimiterCount: Int {
      (1..<delimiter.count).reversed().first { count in
        buffer.count >= count
          && buffer[(buffer.count - count)...].elementsEqual(delimiter[..<count])
      } ?? 0
    }

    private mutating func nextDelimiter() -> Int? {
      var index = searched
      while index + delimiter.count <= buffer.count {
        if buffer[index] == delimiter[0], buffer[index...].starts(with: delimiter) { return index }
        index += 1
      }
      searched = index
      return nil
    }

    /// The bytes after the delimiter decide: two hyphens end the body. The line end after a
    /// delimiter stays, as it may begin the next one.
    private mutating func delimiterEnd(_ start: Int) -> (offset: Int, isLast: Bool)? {
      searched = start
      var index = start + delimiter.count
      guard index + 2 <= buffer.count else { return nil }
      if buffer[index...].starts(with: "--".utf8) { return (index + 2, true) }
      while index < buffer.count, buffer[index] == 0x20 || buffer[index] == 0x09 { index += 1 }
      guard index < buffer.count else { return nil }
      return (index, false)
    }

    /// The content after the empty line that ends a part's header fields.
    private static func body(of part: ArraySlice<UInt8>) -> [UInt8] {
      let emptyLine = Array("\r\n\r\n".utf8)
      var index = part.startIndex
      while index + emptyLine.count <= part.endIndex {
        if part[index...].starts(with: emptyLine) { return Array(part[(index + 4)...]) }
        index += 1
      }
      return []
    }
  }
}

extension [UInt8] {
  fileprivate var withoutTrailingSpace: ArraySlice<UInt8> {
    self[..<(lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? startIndex)]
  }
}
