extension Graph.Headers: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Fields that contain no secret, and that a request may take to another origin.
  static let nonsensitive: Set<String> = [
    "accept", "accept-encoding", "accept-language", "apollo-require-preflight",
    "apollographql-client-name", "apollographql-client-version", "content-length", "content-type",
    "graphql-require-preflight", "idempotency-key", "retry-after", "user-agent",
    "x-apollo-operation-name",
  ]

  /// The names; values only of fields that never contain a secret.
  public var description: String {
    fields.map { field in
      Self.nonsensitive.contains(field.name.lowercased())
        ? "\(field.name): \(field.value)" : "\(field.name): (hidden)"
    }.joined(separator: ", ")
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["fields": description]) }
}

extension Graph.Headers.Field: CustomStringConvertible, CustomReflectable {
  public var description: String { Graph.Headers([self]).description }

  public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
}
