import GraphJSON

extension Graph {
  /// The header fields that may identify a request's user, compared by their bytes.
  struct Identity: Hashable, Sendable {
    /// Each as `name:value`.
    let fields: [ExactKey]

    /// Fields that change between requests and do not identify the user.
    private static let passing: Set<String> = [
      "traceparent", "tracestate", "x-request-id", "x-correlation-id",
    ]

    init(of headers: Headers) {
      fields = headers.fields
        .map { (name: $0.name.lowercased(), value: $0.value) }
        .filter { !Headers.nonsensitive.contains($0.name) && !Self.passing.contains($0.name) }
        .map { ExactKey("\($0.name):\($0.value)") }
        .sorted()
    }
  }
}
