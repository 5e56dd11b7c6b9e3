/// What a JSON value is (RFC 8259, section 3).
public enum JSONKind: UInt8, Hashable, Sendable {
  case null, bool, number, string, array, object
}
