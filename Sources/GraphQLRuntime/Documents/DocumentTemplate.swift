import GraphJSON

extension GraphQL {
  /// A document without the values of its variables.
  package struct DocumentTemplate: Sendable {
    package struct Variable: Sendable {
      package let name: String
      let type: String
      package let defaultValue: TemplateValue?
    }

    package struct Fragment: Sendable {
      package let name: String
      package let typeName: String
      package let selections: [TemplateSelection]
    }

    /// nil if the document consists of fragments.
    package var kind: OperationType?
    /// The name of the operation, or of the first fragment.
    package var name = ""
    package var variables: [Variable] = []
    package var selections: [TemplateSelection] = []
    /// In the order of the document.
    package var fragments: [Fragment] = []
  }

  package enum TemplateSelection: Sendable {
    case field(TemplateField)
    case inlineFragment(typeName: String?, [TemplateDirective], [TemplateSelection])
    case spread(name: String, [TemplateDirective])
  }

  package struct TemplateField: Sendable {
    package let responseName: String
    package let name: String
    package let arguments: [TemplateArgument]
    package let directives: [TemplateDirective]
    package let selections: [TemplateSelection]?
  }

  package struct TemplateArgument: Sendable {
    package let name: String
    package let value: TemplateValue
  }

  package struct TemplateDirective: Sendable {
    package let name: String
    package let arguments: [TemplateArgument]

    /// Whether it decides if the selection is in the response.
    var isCondition: Bool { name == "include" || name == "skip" }
  }

  /// A value in a document; enum values are strings, as in JSON.
  package indirect enum TemplateValue: Sendable {
    case json(JSON)
    case variable(String)
    case list([TemplateValue])
    case object([TemplateArgument])

    /// The value with the values of variables; nil if a variable without a value decides it
    /// (specification: 6.4.1 Coercing Field Arguments, 3.10 Input Objects).
    package func json(_ variables: (String) -> JSON?) -> JSON? {
      switch self {
      case .json(let json): json
      case .variable(let name): variables(name)
      case .list(let elements): .array(elements.map { $0.json(variables) ?? .null })
      case .object(let fields):
        .object(
          JSON.Object(
            fields.compactMap { field in
              field.value.json(variables).map { JSON.Object.Member(key: field.name, value: $0) }
            }))
      }
    }
  }
}
