import Foundation

extension GraphQL {
  /// A file that is sent with the operation, according to the multipart request specification. The
  /// variables contain a null in its place.
  public struct Upload: Sendable, Hashable {
    /// The source of the bytes.
    public enum Content: Sendable, Hashable {
      case data(Data)
      /// A file on disk, read while it is sent.
      case file(URL)
    }

    /// The bytes.
    public let content: Content
    /// The file name for the server.
    public let fileName: String
    /// A media type, such as `image/png`. It is sent without its control characters; if it is empty, no media
    /// type is sent, which means `text/plain` (RFC 7578, section 4.4).
    public let contentType: String

    /// - Parameters:
    ///   - content: the source of the bytes.
    ///   - fileName: the file name for the server.
    ///   - contentType: a media type.
    public init(
      _ content: Content, fileName: String, contentType: String = "application/octet-stream"
    ) {
      self.content = content
      self.fileName = fileName
      self.contentType = contentType
    }
  }
}

extension GraphQL.Upload: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) { writer.upload(self) }
}
