import Foundation

extension Graph {
  /// A body of type `multipart/form-data` (RFC 7578).
  public struct MultipartForm: Sendable, Hashable {
    /// A field of the form.
    public struct Part: Sendable, Hashable {
      /// Where a part's bytes come from.
      public enum Content: Sendable, Hashable {
        case bytes([UInt8])
        /// A file, read while it is sent.
        case file(URL)
      }

      /// The name of the form's field.
      public let name: String
      /// The file's name, where the part is a file.
      public let fileName: String?
      /// The part's media type.
      public let contentType: String?
      /// Where the bytes come from.
      public let content: Content

      /// A part, of which name and content are needed.
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
    /// The parts in the order in which they are sent.
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
