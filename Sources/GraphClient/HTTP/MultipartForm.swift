import Foundation

extension Graph {
  /// A body of type `multipart/form-data` (RFC 7578).
  public struct MultipartForm: Sendable, Hashable {
    /// A field of the form.
    public struct Part: Sendable, Hashable {
      /// The source of a part's bytes.
      public enum Content: Sendable, Hashable {
        case bytes([UInt8])
        /// A file, read while it is sent.
        case file(URL)
      }

      /// The name of the form's field.
      public let name: String
      /// The file's name, if the part is a file.
      public let fileName: String?
      /// The part's media type. It is sent without its control characters, and not at all if it is empty.
      public let contentType: String?
      /// The source of the bytes.
      public let content: Content

      /// A part; name and content are required.
      public init(
        name: String, fileName: String? = nil, contentType: String? = nil, content: Content
      ) {
        self.name = name
        self.fileName = fileName
        self.contentType = contentType
        self.content = content
      }
    }

    /// The text between parts; it must not occur in any of them.
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
