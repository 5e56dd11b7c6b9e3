/// Limits on a server's use of this process.
struct HTTPLimits: Equatable, Sendable {
  /// Until a response is complete.
  var seconds = 60.0
  var byteCount = 128 << 20
  var redirects = 5
}
