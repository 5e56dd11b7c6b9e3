import GraphJSON

extension GraphQL {
  /// Whether an operation selected what a fragment selects, with the same arguments. The recursion is as
  /// deep as the fragment.
  struct SelectionComparison {
    private let document: ResponseDocument
    private let schema: SchemaTable
    private(set) var problems: [String] = []
    private var path: [String] = []

    init(_ document: ResponseDocument, in schema: SchemaTable) {
      self.document = document
      self.schema = schema
    }

    mutating func compare(
      _ object: Int, wanted: CollectedFields, selected: CollectedFields
    ) {
      for field in wanted.fields {
        let key = String(decoding: field.key, as: UTF8.self)
        path.append(key)
        defer { path.removeLast() }
        guard let other = selected.fields.first(where: { $0.key == field.key }) else {
          // Builders select it where the type is not known; the one of the outermost object is added from its class.
          let isKnown =
            field.name == "__typename"
            && (path.count == 1 || document.json.member(key, of: object) != nil)
          if !isKnown { report("is not selected") }
          continue
        }
        guard field.storageKey == other.storageKey else {
          report("is another field, or has other arguments")
          continue
        }
        if let type = field.type, let value = document.json.member(key, of: object) {
          compare(value, wanted: field, selected: other, type)
        }
      }
    }

    private mutating func compare(
      _ value: Int, wanted: CollectedField, selected: CollectedField, _ type: TypeInfo
    ) {
      let json = document.json
      switch json.kind(at: value) {
      case .object:
        let type = schema.concreteType(of: type, at: value, in: json) ?? type
        compare(
          value, wanted: wanted.fields(of: type, in: schema),
          selected: selected.fields(of: type, in: schema))
      case .array:
        var element = json.firstChild(of: value)
        let end = json.end(of: value)
        while element < end {
          compare(element, wanted: wanted, selected: selected, type)
          element = json.next(after: element)
        }
      case .null, .bool, .number, .string: break
      }
    }

    private mutating func report(_ problem: String) {
      let problem = "`\(path.joined(separator: "."))` \(problem)"
      if !problems.contains(problem) { problems.append(problem) }
    }
  }
}

extension GraphQL.CollectedField {
  fileprivate var storageKey: String {
    GraphQL.StorageKey.text(name, arguments, raw: rawArguments, directives)
  }
}
