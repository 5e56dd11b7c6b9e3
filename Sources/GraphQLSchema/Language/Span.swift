/// A range of bytes in one of the sources a document or schema was read from.
///
/// Where something was written is no part of what it says: all spans compare equal, so that `==` of
/// two nodes compares their content. Compare `source`, `start` and `end` to compare places.
public struct Span: Sendable, Hashable {
  /// Which source, as an index into `Schema.sources`; 0 for a document parsed alone.
  public var source: UInt32
  /// Offset of the first byte.
  public var start: UInt32
  /// Offset after the last byte.
  public var end: UInt32

  /// Makes one from its parts.
  public init(source: UInt32, start: UInt32, end: UInt32) {
    self.source = source
    self.start = start
    self.end = end
  }

  /// The place of nodes that were not read from a source: built-in definitions, nodes made in code.
  public static var none: Span { Span(source: .max, start: 0, end: 0) }

  /// Whether this span points into a source.
  public var isKnown: Bool { source != .max }

  public static func == (lhs: Span, rhs: Span) -> Bool { true }

  public func hash(into hasher: inout Hasher) {}
}
