extension Graph {
  /// What came in place of a response. Descriptions do not show it: it may hold anything.
  public struct ErrorBody: Sendable, CustomStringConvertible, CustomReflectable {
    /// The most that is kept of a body.
    public static let maximumByteCount = 1 << 16

    /// The answer's header fields.
    public let headers: Headers
    /// The body's first bytes, at most ``maximumByteCount``.
    public let bytes: [UInt8]
    /// The errors of a GraphQL response, where the body is one.
    public let reasons: [Reason]

    /// The first bytes of a body and what is known of it.
    public init(headers: Headers, bytes: [UInt8], reasons: [Reason] = []) {
      self.headers = headers
      self.bytes = Array(bytes.prefix(Self.maximumByteCount))
      self.reasons = reasons
    }

    /// The bytes as text; what is not UTF-8 is replaced.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public var description: String { "\(bytes.count) bytes, \(headers)" }

    public var customMirror: Mirror { Mirror(self, children: ["body": description]) }
  }
}
