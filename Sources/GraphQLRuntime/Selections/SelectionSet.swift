extension GraphQL {
  /// A selection set as it is sent: merged, in order, and immutable.
  package final class SelectionSet: Sendable {
    /// The type of the fields; nil in raw queries.
    package let type: TypeInfo?
    let entries: [Entry]
    /// The depth of nested selection sets, including fragments.
    let depth: Int

    init(type: TypeInfo?, entries: [Entry]) {
      self.type = type
      self.entries = entries
      var below = 0
      for entry in entries { below = max(below, entry.depth) }
      depth = 1 + below
    }

    enum Entry: Sendable {
      case field(Field)
      case inlineFragment(type: String, directives: [AppliedDirective], SelectionSet)
      case spread(FragmentDefinition, directives: [AppliedDirective])

      fileprivate var depth: Int {
        switch self {
        case .field(let field): field.selectionSet?.depth ?? 0
        case .inlineFragment(_, _, let set): set.depth
        case .spread(let fragment, _): fragment.selectionSet.depth
        }
      }
    }

    final class Field: Sendable {
      let responseName: String
      let name: String
      let arguments: [Argument]
      let rawArguments: String?
      let directives: [AppliedDirective]
      /// The field's line of the table; nil in raw queries.
      let info: FieldInfo?
      let selectionSet: SelectionSet?

      init(
        responseName: String, name: String, arguments: [Argument], rawArguments: String? = nil,
        directives: [AppliedDirective], info: FieldInfo?, selectionSet: SelectionSet?
      ) {
        self.responseName = responseName
        self.name = name
        self.arguments = arguments
        self.rawArguments = rawArguments
        self.directives = directives
        self.info = info
        self.selectionSet = selectionSet
      }

      convenience init(
        _ selection: Selection, arguments: [Argument], info: FieldInfo?,
        selectionSet: SelectionSet?
      ) {
        self.init(
          responseName: selection.responseName, name: selection.name, arguments: arguments,
          rawArguments: selection.rawArguments, directives: selection.directives, info: info,
          selectionSet: selectionSet)
      }
    }
  }
}

extension [GraphQL.AppliedDirective] {
  /// Whether there is an `@include` or `@skip`.
  var isConditional: Bool { contains { $0.includes != nil } }

  /// Whether `@include` and `@skip`, if present, include the selection in the response.
  var include: Bool { isEmpty || allSatisfy { $0.includes ?? true } }

  /// Whether `@defer` lets the server respond without the selection and send it later.
  var mayComeLater: Bool { contains { $0.name == "defer" } }
}

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
