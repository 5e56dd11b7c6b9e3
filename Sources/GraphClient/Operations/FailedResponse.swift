extension Graph {
  /// The HTTP response to a failed operation. Descriptions do not show its body, as the contents
  /// are unknown.
  public struct FailedResponse: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The maximum part of a body that is kept.
    public static let maximumByteCount = 1 << 16

    /// The HTTP status; nil for one payload of a stream.
    public let status: Int?
    /// The response's header fields; empty for one payload of a stream.
    public let headers: Headers
    /// The body's first bytes, at most ``maximumByteCount``.
    public let bytes: [UInt8]

    /// Status, header fields and the first bytes of a body.
    public init(status: Int?, headers: Headers = [:], bytes: [UInt8] = []) {
      self.status = status
      self.headers = headers
      self.bytes = Array(bytes.prefix(Self.maximumByteCount))
    }

    /// The bytes as text; invalid UTF-8 is replaced.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public var description: String {
      "\(status.map { "status \($0), " } ?? "")\(bytes.count) bytes, \(headers)"
    }

    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
  }
}
