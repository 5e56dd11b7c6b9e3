/// The kind of a JSON value (RFC 8259, section 3).
public enum JSONKind: UInt8, Hashable, Sendable {
  case null, bool, number, string, array, object
}

/// Some of the kinds, a bit each.
@usableFromInline
package struct JSONKinds: BitwiseCopyable, Sendable {
  @usableFromInline var bits: UInt64 = 0

  package init() {}

  package mutating func insert(_ kind: JSONKind) { bits |= 1 &<< UInt64(kind.rawValue) }
}
