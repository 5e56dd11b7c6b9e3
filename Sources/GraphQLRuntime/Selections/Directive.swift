extension GraphQL {
  /// A directive of one schema with its arguments (specification: 2.13 Directives). Generated code
  /// has a static method for each, such as `.inContext(country: .ca)`.
  public struct Directive<Schema>: Sendable {
    var applied: AppliedDirective

    /// - Parameter name: the directive's name without the `@`.
    public init(_ name: String) {
      applied = AppliedDirective(name: name, arguments: [])
    }

    /// Adds an argument; nil leaves it out.
    public mutating func _arg<Value: InputValue>(_ name: String, _ value: Value?) {
      if let value { applied.arguments.append(Argument(name: name, value: value)) }
    }
  }

  package struct AppliedDirective: Sendable {
    let name: String
    var arguments: [Argument]

    static func condition(_ name: String, _ condition: Bool) -> AppliedDirective {
      AppliedDirective(name: name, arguments: [Argument(name: "if", value: condition)])
    }

    /// Whether it is `@stream`, and not disabled.
    package var isStream: Bool {
      name == "stream" && !arguments.contains { $0.name == "if" && $0.value as? Bool == false }
    }

    /// For `@include` and `@skip`: whether the selection is included in the response; nil for
    /// others.
    var includes: Bool? {
      guard let condition = arguments.first?.value as? Bool else { return nil }
      return switch name {
      case "include": condition
      case "skip": !condition
      default: nil
      }
    }
  }
}
