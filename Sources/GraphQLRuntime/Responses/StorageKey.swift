import GraphJSON

extension GraphQL {
  /// The key under which a field is stored: its name, then its arguments in canonical JSON, then the
  /// directives that may give it another value.
  package enum StorageKey {
    package static func text(
      _ name: String, _ arguments: [Argument], raw: String?, _ directives: [AppliedDirective]
    ) -> String {
      directives.filter { !passive.contains($0.name) }.reduce(text(name, arguments, raw: raw)) {
        "\($0)@\(text($1.name, $1.arguments, raw: nil))"
      }
    }

    /// Directives that control whether and when a field arrives, not its value.
    private static let passive: Set<String> = ["include", "skip", "defer", "stream"]

    private static func text(_ name: String, _ arguments: [Argument], raw: String?) -> String {
      // Raw arguments are text that was not parsed, so they are a key of their own.
      if let raw { return name + raw }
      guard !arguments.isEmpty else { return name }
      var object = JSON.Object()
      for argument in arguments { object[argument.name] = json(argument.value) }
      return text(name, .object(object))
    }

    /// The key of a field with arguments as a JSON object.
    package static func text(_ name: String, _ arguments: JSON) -> String {
      "\(name)(\(canonical(arguments)))"
    }

    /// The name of the field in a storage key.
    package static func fieldName(_ key: String) -> String {
      key.firstIndex { $0 == "(" || $0 == "@" }.map { String(key[..<$0]) } ?? key
    }

    /// The arguments in a storage key; nil for raw arguments and for a key with directives.
    package static func arguments(_ key: String) -> JSON? {
      let name = fieldName(key)
      let rest = key.dropFirst(name.count)
      if rest.isEmpty { return [:] }
      guard rest.first == "(", rest.last == ")" else { return nil }
      return try? JSON(parsing: Array(rest.dropFirst().dropLast().utf8))
    }

    /// Whether two arguments are equal, whatever the order of their members.
    package static func isSame(_ left: JSON, _ right: JSON) -> Bool {
      canonical(left) == canonical(right)
    }

    package static func json(_ value: any InputValue) -> JSON {
      var writer = ValueWriter(.json)
      value._write(to: &writer)
      // An operation whose arguments cannot be written is never created.
      return (try? JSON(parsing: writer.bytes)) ?? .null
    }

    /// Names sorted at every level. An argument is as deep as the query's author wrote it.
    private static func canonical(_ json: JSON) -> JSON {
      switch json {
      case .object(let object):
        .object(
          JSON.Object(
            object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
              .map { JSON.Object.Member(key: $0.key, value: canonical($0.value)) }))
      case .array(let elements): .array(elements.map(canonical))
      case .null, .bool, .number, .string: json
      }
    }
  }
}
