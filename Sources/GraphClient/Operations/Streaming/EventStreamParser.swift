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
