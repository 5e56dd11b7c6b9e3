import Foundation

extension Graph {
  /// A body of type `multipart/form-data` (RFC 7578).
  public struct MultipartForm: Sendable, Hashable {
    public struct Part: Sendable, Hashable {
      public enum Content: Sendable, Hashable {
        case bytes([UInt8])
        /// A file, read while it is sent.
        case file(URL)
      }

      public let name: String
      public let fileName: String?
      public let contentType: String?
      public let content: Content

      public init(
        name: String, fileName: String? = nil, contentType: String? = nil, content: Content
      ) {
        self.name = name
        self.fileName = fileName
        self.contentType = contentType
        self.content = content
      }
    }

    /// What stands between parts; it must occur in none of them.
    public let boundary: String
    public let parts: [Part]

    /// - Parameter boundary: by default 128 random bits.
    public init(parts: [Part], boundary: String? = nil) {
      self.parts = parts
      let random = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }
      self.boundary = boundary ?? "graph-\(random.joined())"
    }

    /// The value of the request's `Content-Type`.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }
  }
}
