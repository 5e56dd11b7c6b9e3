extension Graph {
  /// The field `Retry-After` (RFC 9110, section 10.2.3): seconds or a date.
  package enum RetryAfter {
    /// The delay that a response requests. A date is compared with the server's own, if it has one:
    /// this machine's clock may be wrong by years.
    package static func delay(_ headers: Headers, now: Timestamp) -> Duration? {
      guard let value = headers["Retry-After"]?.trimmed, !value.isEmpty else { return nil }
      if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        return .seconds(min(Int64(value) ?? .max, 1_000_000_000))
      }
      guard let date = HTTPDate.secondsSince1970(value) else { return nil }
      let sent = headers["Date"].flatMap { HTTPDate.secondsSince1970($0.trimmed) }
      return max(.seconds(date) - (sent.map { .seconds($0) } ?? now.wall), .zero)
    }
  }
}
