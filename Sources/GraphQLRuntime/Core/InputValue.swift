import Foundation

extension GraphQL {
  /// A value that can be sent: as an argument, in a variable, or in an input object
  /// (specification: 2.9 Input Values).
  public protocol InputValue: Sendable {
    /// Writes the value as JSON or as a GraphQL literal. A value that cannot be sent is reported to
    /// the writer and becomes an ``InvalidQuery``.
    func _write(to writer: inout ValueWriter)
  }
}

extension String: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) { writer.string(self) }
}

/// GraphQL's Int has 32 bits (specification: 3.5.1 Int). A value that needs more becomes an ``GraphQL/InvalidQuery``.
extension Int: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) {
    guard let value = Int32(exactly: self) else {
      return writer.fail("the integer needs more than the 32 bits of GraphQL's Int")
    }
    writer.integer(value)
  }
}

extension Double: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) {
    guard isFinite else { return writer.fail("\(self) has no JSON form") }
    writer.number("\(self)")
  }
}

extension Bool: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) { writer.bool(self) }
}

extension Array: GraphQL.InputValue where Element: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) {
    writer.list(self) { $0._write(to: &$1) }
  }
}

extension Optional: GraphQL.InputValue where Wrapped: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) {
    if let self { self._write(to: &writer) } else { writer.null() }
  }
}

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
