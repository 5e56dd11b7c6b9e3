/// The formats of a schema.
public enum SourceFormat: Sendable, Equatable {
  /// The JSON result of an introspection query (section 4).
  case introspection
  /// A type-system document (section 3).
  case typeSystemDocument
}

extension Source {
  /// The format of the source, detected by its start and by the extension of its name.
  ///
  /// A brace followed by a quote starts JSON and never a type-system document, whatever the name
  /// is. Otherwise the extension `json` decides.
  public var format: SourceFormat {
    var start = bytes.drop { isBlank($0) }
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3).drop { isBlank($0) } }
    if start.first == 0x5B { return .introspection }
    if start.first == 0x7B, start.dropFirst().first(where: { !isBlank($0) }) == 0x22 {
      return .introspection
    }
    return name.lowercased().hasSuffix(".json") ? .introspection : .typeSystemDocument
  }

  /// A source that is certainly not a schema in either format.
  func foreignContent() -> SyntaxError? {
    let content = bytes.drop { isBlank($0) || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    if content.isEmpty {
      return SyntaxError(message: "The file is empty.", start: 0, end: 0)
    }
    if let error = wideEncodingError() { return error }
    guard content.first == 0x3C else { return nil }
    return SyntaxError(
      message: "This is HTML or XML, not a schema.", start: content.startIndex,
      end: content.startIndex + 1,
      suggestion: "Check the URL of the schema, and whether the server requires a token.")
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
