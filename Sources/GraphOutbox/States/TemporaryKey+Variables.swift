import GraphJSON
import GraphQLRuntime

extension Graph.TemporaryKey {
  /// The temporary keys that are values of the variables, each once, in their order.
  static func keys(in variables: JSON) -> [String] {
    var found: [String] = []
    var seen: Set<ExactKey> = []
    _ = variables.mapStrings { text in
      if isTemporary(text), seen.insert(ExactKey(text)).inserted { found.append(text) }
      return text
    }
    return found
  }
}

extension JSON {
  /// The value with another text in place of each text that equals `text`. A text that only
  /// contains it stays unchanged.
  func replacing(_ text: String, with other: String) -> JSON {
    mapStrings { $0.hasSameBytes(as: text) ? other : $0 }
  }

  /// The recursion is as deep as the value, which the parser limits.
  fileprivate func mapStrings(_ transform: (String) -> String) -> JSON {
    switch self {
    case .string(let text): .string(transform(text))
    case .array(let elements): .array(elements.map { $0.mapStrings(transform) })
    case .object(let object):
      .object(
        JSON.Object(
          object.members.map {
            JSON.Object.Member(key: $0.key, value: $0.value.mapStrings(transform))
          }))
    default: self
    }
  }
}
