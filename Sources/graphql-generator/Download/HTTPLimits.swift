/// What a server may take of this process.
struct HTTPLimits: Equatable, Sendable {
  /// Until an answer is complete.
  var seconds = 60.0
  var byteCount = 128 << 20
  var redirects = 5
}
