import GraphJSON

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
