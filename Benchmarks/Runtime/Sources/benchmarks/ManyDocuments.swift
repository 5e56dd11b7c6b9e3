import GraphQLSchema

/// Documents for a schema, the same in each run: queries with nested objects and a variable, and the
/// fragments that they spread.
struct ManyDocuments {
  private let schema: ServiceSchema
  private var fragments: Set<String> = []
  private(set) var sources: [Source] = []

  init(_ schema: ServiceSchema, count: Int) {
    self.schema = schema
    let types = schema.types.elements.filter { $0.kind == .object && !leaves(of: $0).isEmpty }
    for type in types.prefix(count / 4) {
      let lines = leaves(of: type).prefix(8).map { "  \($0)\n" }.joined()
      add("\(type.name)Part", "fragment \(type.name)Part on \(type.name) {\n\(lines)}\n")
      fragments.insert(type.name)
    }
    guard let query = schema.queryType.map(NamedType.object) else { return }
    let roots = objects(of: query)
    for number in sources.count..<count {
      let root = selection(of: roots[number % roots.count], number, depth: 3, indent: "  ")
      let variables = root.contains("$first") ? "($first: Int)" : ""
      add("Query\(number)", "query Query\(number)\(variables) {\n\(root)}\n")
    }
  }

  private mutating func add(_ name: String, _ text: String) {
    sources.append(Source(name: "\(name).graphql", text: text))
  }

  /// The fields of a type that can be selected by their names alone.
  private func leaves(of type: NamedType) -> [String] {
    fields(of: type) { $0.isLeafType }.map(\.name)
  }

  private func objects(of type: NamedType) -> [FieldDefinition] {
    fields(of: type) { !$0.isLeafType }
  }

  private func fields(
    of type: NamedType, where condition: (NamedType) -> Bool
  ) -> [FieldDefinition] {
    (type.fields?.elements ?? []).filter { field in
      !field.arguments.contains(where: \.isRequired)
        && schema.namedType(of: field.type).map(condition) == true
    }
  }

  /// A field with some leaves of its objects, and with one or two of their objects.
  private func selection(
    of field: FieldDefinition, _ seed: Int, depth: Int, indent: String
  ) -> String {
    guard let type = schema.namedType(of: field.type) else { return "" }
    var lines = leaves(of: type).dropFirst(seed % 3).prefix(2 + seed % 4).map {
      "\(indent)  \($0)\n"
    }
    if fragments.contains(type.name), seed % 2 == 0 {
      lines.append("\(indent)  ...\(type.name)Part\n")
    }
    let objects = depth == 0 ? [] : objects(of: type)
    for number in 0..<min(objects.count, 1 + seed % 2) {
      let next = objects[(seed + number) % objects.count]
      lines.append(selection(of: next, seed / 2 + number, depth: depth - 1, indent: indent + "  "))
    }
    if lines.isEmpty { lines = ["\(indent)  __typename\n"] }
    let pages = field.arguments.contains { $0.name == "first" } ? "(first: $first)" : ""
    return "\(indent)\(field.name)\(pages) {\n\(lines.joined())\(indent)}\n"
  }
}
