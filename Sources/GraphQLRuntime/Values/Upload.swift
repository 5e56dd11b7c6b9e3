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

    public let content: Content
    public let fileName: String
    /// A media type, such as `image/png`.
    public let contentType: String

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
