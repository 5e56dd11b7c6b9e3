import Foundation

extension GraphQL {
  /// A file that is sent beside the operation, by the multipart request specification. In the
  /// variables a null stands in its place.
  public struct Upload: Sendable, Hashable {
    /// Where the bytes come from.
    public enum Content: Sendable, Hashable {
      case data(Data)
      /// A file on disk, read while it is sent.
      case file(URL)
    }

    /// The bytes.
    public let content: Content
    /// The name under which the server gets the file.
    public let fileName: String
    /// A media type, such as `image/png`.
    public let contentType: String

    /// - Parameters:
    ///   - content: where the bytes come from.
    ///   - fileName: the name under which the server gets the file.
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
