/// A range of bytes in one of the sources of a document or schema.
///
/// A position is not part of a node's meaning. All ranges compare equal, so that `==` of two nodes
/// compares their content. Compare `source`, `start` and `end` to compare positions.
public struct SourceRange: Sendable, Hashable {
  /// The source, as an index into `ServiceSchema.sources`; 0 for a document parsed alone.
  public var source: UInt32
  /// Offset of the first byte.
  public var start: UInt32
  /// Offset after the last byte.
  public var end: UInt32

  /// Creates a source range.
  public init(source: UInt32, start: UInt32, end: UInt32) {
    self.source = source
    self.start = start
    self.end = end
  }

  /// The range of nodes that were not read from a source: built-in definitions, nodes created in
  /// code.
  public static var none: SourceRange { SourceRange(source: .max, start: 0, end: 0) }

  /// Whether this range points into a source.
  public var isKnown: Bool { source != .max }

  public static func == (lhs: SourceRange, rhs: SourceRange) -> Bool { true }

  public func hash(into hasher: inout Hasher) {}
}
