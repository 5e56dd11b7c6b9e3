extension Graph {
  /// The field `Retry-After` (RFC 9110, section 10.2.3): seconds or a date.
  enum RetryAfter {
    static func delay(_ value: String?, now: Moment) -> Duration? {
      guard let value = value?.trimmed, !value.isEmpty else { return nil }
      if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        return .seconds(min(Int64(value) ?? .max, 1_000_000_000))
      }
      return HTTPDate.secondsSince1970(value)
        .map { max(.seconds($0) - now.wall, .zero) }
    }
  }
}
