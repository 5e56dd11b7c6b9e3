import GraphJSON

extension GraphQL {
  /// A document without the values of its variables.
  struct DocumentTemplate: Sendable {
    struct Variable: Sendable {
      let name: String
      let type: String
      let defaultValue: TemplateValue?
    }

    struct Fragment: Sendable {
      let name: String
      let typeName: String
      let selections: [TemplateSelection]
    }

    /// nil if the document consists of fragments.
    var kind: OperationType?
    var variables: [Variable] = []
    var selections: [TemplateSelection] = []
    /// In the order of the document.
    var fragments: [Fragment] = []
  }

  enum TemplateSelection: Sendable {
    case field(TemplateField)
    case inlineFragment(typeName: String?, [TemplateDirective], [TemplateSelection])
    case spread(name: String, [TemplateDirective])
  }

  struct TemplateField: Sendable {
    let responseName: String
    let name: String
    let arguments: [TemplateArgument]
    let directives: [TemplateDirective]
    let selections: [TemplateSelection]?
  }

  struct TemplateArgument: Sendable {
    let name: String
    let value: TemplateValue
  }

  struct TemplateDirective: Sendable {
    let name: String
    let arguments: [TemplateArgument]
  }

  /// A value in a document; enum values are strings, as in JSON.
  indirect enum TemplateValue: Sendable {
    case json(JSON)
    case variable(String)
    case list([TemplateValue])
    case object([TemplateArgument])

    /// The value with the values of variables; nil if a variable without a value decides it
    /// (specification: 6.4.1 Coercing Field Arguments, 3.10 Input Objects).
    func json(_ variables: (String) -> JSON?) -> JSON? {
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
