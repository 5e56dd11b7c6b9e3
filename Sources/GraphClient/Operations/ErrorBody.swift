import GraphQLRuntime

extension Graph {
  /// The body that arrived in place of a response. Descriptions do not show it, as its contents are
  /// unknown.
  public struct ErrorBody: Sendable, CustomStringConvertible, CustomReflectable {
    /// The maximum part of a body that is kept.
    public static let maximumByteCount = 1 << 16

    /// The response's header fields.
    public let headers: Headers
    /// The body's first bytes, at most ``maximumByteCount``.
    public let bytes: [UInt8]
    /// The errors of a GraphQL response, if the body is one.
    public let reasons: [GraphQL.ResponseError]

    /// The first bytes of a body and related information.
    public init(headers: Headers, bytes: [UInt8], reasons: [GraphQL.ResponseError] = []) {
      self.headers = headers
      self.bytes = Array(bytes.prefix(Self.maximumByteCount))
      self.reasons = reasons
    }

    /// The bytes as text; invalid UTF-8 is replaced.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public var description: String { "\(bytes.count) bytes, \(headers)" }

    public var customMirror: Mirror { Mirror(self, children: ["body": description]) }
  }
}
