import GraphQLCodeGen

/// A query for a first program: one path of fields, from the root type of queries to a value that can be
/// printed. It needs no argument that only the user knows.
struct FirstQuery: Sendable {
  let namespace: String
  /// The fields from the root on.
  let fields: [FieldPlan]
  /// Whether the path ends with the name of the last field's type, because that type has no leaf.
  let endsWithTypename: Bool
  /// How far it is from a good example, for comparisons.
  let cost: Int

  /// The best query for a module. Every schema has one, since every object has a `__typename`.
  static func best(for plan: GenerationPlan) -> FirstQuery {
    let finder = FirstQueryFinder(plan)
    // The first of the best, in the order of the schema.
    return finder.queries.min { $0.cost < $1.cost } ?? finder.typename
  }

  /// The best query for each field of the root type that can be selected, and that for its name.
  static func all(for plan: GenerationPlan) -> [FirstQuery] {
    let finder = FirstQueryFinder(plan)
    return finder.queries + [finder.typename]
  }

  /// The fields as a path, to show it: `shop.name`.
  var path: String {
    (fields.map(\.schemaName) + (endsWithTypename ? [Self.typename] : [])).joined(separator: ".")
  }

  /// The meta field that each composite type has (section 4.1).
  static let typename = "__typename"
}

extension FirstQuery {
  /// The statement that builds the query, a line per field, so that the user can add others.
  ///
  /// - Parameter name: the constant.
  func building(_ name: String) -> String {
    block("let \(name) = \(namespace).buildQuery", selection(of: fields[...]))
      .joined(separator: "\n")
  }

  private func selection(of path: ArraySlice<FieldPlan>) -> [String] {
    guard let field = path.first else { return ["$0.\(Self.typename)()"] }
    guard field.subfields != nil else { return ["$0.\(field.method)()"] }
    let size = field.pageSize.map { "(\($0.label): \(Self.listedCount))" }
    return block("$0.\(field.method)\(size ?? "")", selection(of: path.dropFirst()))
  }

  private func block(_ opening: String, _ lines: [String]) -> [String] {
    ["\(opening) {"] + lines.map { "  " + $0 } + ["}"]
  }

  /// The number of objects of a list to request or to print.
  static let listedCount = 3
}

extension FirstQuery {
  /// Whether the service may return null in place of the value, and report an error with it.
  var mayBeNull: Bool { fields.contains { $0.type != $0.type.withoutOptionals } }

  /// The statement that prints the value.
  ///
  /// - Parameter root: the constant with the data of the response.
  func printing(_ root: String) -> String {
    var properties = fields.map {
      Property(name: $0.property, type: $0.type, pages: $0.pageSize != nil)
    }
    if endsWithTypename {
      properties.append(Property(name: Self.typename, type: .named("String"), pages: false))
    }
    let value = Self.read(properties[...], of: root, isPaged: false)
    if !value.isOptional { return "print(\(value.text))" }
    if value.isList { return "print(\(value.text) ?? [])" }
    return "print(\"\\(\(value.text), default: \"null\")\")"
  }

  private struct Property {
    let name: String
    let type: SwiftType
    /// Whether the number of objects was requested.
    let pages: Bool
  }

  /// An expression under construction.
  private struct Value {
    var text: String
    var isOptional: Bool
    /// Whether it is an array that is the result of `map`.
    var isList = false
  }

  /// Reads a path of properties of an object.
  ///
  /// - Parameter isPaged: whether the length of the next list is already limited.
  private static func read(
    _ path: ArraySlice<Property>, of object: String, isPaged: Bool
  ) -> Value {
    guard let property = path.first else { return Value(text: object, isOptional: false) }
    return read(
      path.dropFirst(), of: "\(object).\(property.name)", property.type,
      isPaged: isPaged || property.pages)
  }

  /// Reads a path of properties of the objects in a value of a type.
  private static func read(
    _ path: ArraySlice<Property>, of value: String, _ type: SwiftType, isPaged: Bool
  ) -> Value {
    if path.isEmpty { return Value(text: value, isOptional: type.isOptional) }
    switch type {
    case .optional(let wrapped):
      var value = read(path, of: value + "?", wrapped, isPaged: isPaged)
      value.isOptional = true
      return value
    case .array(let element):
      let inner = read(path, of: "$0", element, isPaged: false)
      let list = isPaged ? value : "\(value).prefix(\(listedCount))"
      let method = inner.isList ? "flatMap" : inner.isOptional ? "compactMap" : "map"
      let result = inner.isList && inner.isOptional ? "\(inner.text) ?? []" : inner.text
      return Value(text: "\(list).\(method) { \(result) }", isOptional: false, isList: true)
    case .named, .generated, .existential:
      return read(path, of: value, isPaged: isPaged)
    }
  }
}

extension SwiftType {
  /// The type with a value in each place.
  fileprivate var withoutOptionals: SwiftType {
    switch self {
    case .optional(let inner): inner.withoutOptionals
    case .array(let element): .array(element.withoutOptionals)
    case .named, .generated, .existential: self
    }
  }
}

/// Finds the best path from the root type of queries to a leaf.
///
/// Every field costs something, and the path with the lowest total is the best. Each round finds, for each
/// type, the best path with one more field, so the time is limited even if types refer to each other.
struct FirstQueryFinder {
  private let plan: GenerationPlan
  private let types: [String: CompositePlan]
  private let root: CompositePlan?
  /// The best paths from each type, by its query class, of at most `Self.depth` - 1 fields.
  private var paths: [String: Path] = [:]

  /// The most fields on a path: a connection with edges takes four.
  private static let depth = 6

  private struct Path {
    var fields: [FieldPlan]
    var endsWithTypename = false
    var cost: Int
  }

  init(_ plan: GenerationPlan) {
    self.plan = plan
    types = Dictionary(plan.composites.map { ($0.queryClass, $0) }) { first, _ in first }
    root = plan.roots.first { $0.operation == .query }.flatMap { [types] in types[$0.queryClass] }
    for type in plan.composites {
      paths[type.queryClass] = Path(fields: [], endsWithTypename: true, cost: FieldCost.typename)
    }
    for _ in 2..<Self.depth {
      var longer = paths
      for type in plan.composites { longer[type.queryClass] = best(from: type) }
      paths = longer
    }
  }

  /// The query that selects only the name of the root type.
  var typename: FirstQuery {
    query(Path(fields: [], endsWithTypename: true, cost: FieldCost.rootTypename))
  }

  /// The best query for each field of the root.
  var queries: [FirstQuery] {
    guard let root else { return [] }
    return root.fields.compactMap { field in
      path(from: root, field).map { path in
        var path = path
        if field.subfields == nil { path.cost += FieldCost.rootLeaf }
        return query(path)
      }
    }
  }

  private func query(_ path: Path) -> FirstQuery {
    FirstQuery(
      namespace: plan.namespace, fields: path.fields, endsWithTypename: path.endsWithTypename,
      cost: path.cost)
  }

  private func best(from type: CompositePlan) -> Path? {
    var best = paths[type.queryClass]
    for field in type.fields {
      guard let path = path(from: type, field), path.cost < best?.cost ?? .max else { continue }
      best = path
    }
    return best
  }

  /// The best path that begins with a field; nil if the field cannot be selected.
  private func path(from type: CompositePlan, _ field: FieldPlan) -> Path? {
    guard let subfields = field.subfields else {
      return FieldCost.leaf(field, of: type).map { Path(fields: [field], cost: $0) }
    }
    guard let child = types[subfields], let rest = paths[subfields],
      let cost = FieldCost.object(field, child)
    else { return nil }
    return Path(
      fields: [field] + rest.fields, endsWithTypename: rest.endsWithTypename,
      cost: cost + rest.cost)
  }
}

/// How far a field is from a good example: not deprecated, certainly not null, with a value that means
/// something to a reader.
enum FieldCost {
  /// For a type without leaves, such as a union.
  static let typename = 40
  /// Only if nothing else can be selected.
  static let rootTypename = 1_000
  /// A leaf at the root is often a version or a greeting. An object shows more.
  static let rootLeaf = 20

  /// The cost of a leaf; nil if it needs an argument.
  static func leaf(_ field: FieldPlan, of type: CompositePlan) -> Int? {
    guard !field.arguments.contains(where: \.isRequired) else { return nil }
    var cost = common(field) + 2 * field.arguments.count
    switch field.type.named {
    case .named("String"), .named("Swift.String"): cost += names.contains(field.schemaName) ? 0 : 1
    case .named(RuntimeSymbols.id): cost += 3
    case .named(RuntimeSymbols.json): cost += 8
    default: cost += 4
    }
    // The objects of a page mean more than its number or its cursor.
    if type.isPage || field.schemaName == "cursor" { cost += 20 }
    return cost
  }

  /// The cost of a field whose type has fields; nil if it needs an argument that only the user knows.
  static func object(_ field: FieldPlan, _ type: CompositePlan) -> Int? {
    let size = field.pageSize
    guard field.arguments.allSatisfy({ !$0.isRequired || $0 == size }) else { return nil }
    var cost = common(field) + 4
    if field.schemaName == "pageInfo" { cost += 20 }
    guard field.type.listDepth == 0, !type.isPage else { return cost }
    // `product(id: ID, handle: String)` returns null without either.
    return cost + (field.arguments.contains(where: \.identifies) ? 24 : 2 * field.arguments.count)
  }

  private static func common(_ field: FieldPlan) -> Int {
    var cost = 2 * field.type.listDepth + (field.type.isOptional ? 2 : 0)
    if field.deprecation != nil { cost += 100 }
    // Meta fields of federation, for example.
    if field.schemaName.hasPrefix("_") { cost += 60 }
    return cost
  }

  /// Text that a reader recognises.
  private static let names: Set<String> = [
    "name", "title", "displayName", "fullName", "label", "login", "username",
  ]
}

extension CompositePlan {
  /// Whether the type is a page of a list, such as a connection.
  fileprivate var isPage: Bool {
    schemaName.hasSuffix("Connection")
      || fields.contains { ["pageInfo", "edges", "nodes"].contains($0.schemaName) }
  }
}

extension FieldPlan {
  /// The argument for the number of objects in a page, which some services require.
  var pageSize: ArgumentPlan? {
    arguments.first { argument in
      ["first", "limit"].contains(argument.schemaName)
        && [.named("Int"), .named("Swift.Int")].contains(argument.type.madeRequired)
    }
  }
}

extension ArgumentPlan {
  /// Whether the argument selects one of many objects.
  fileprivate var identifies: Bool {
    [.named("String"), .named("Swift.String"), .named(RuntimeSymbols.id)].contains(type.named)
  }
}

extension SwiftType {
  /// The type without optionals and lists.
  var named: SwiftType {
    switch self {
    case .optional(let inner), .array(let inner): inner.named
    case .named, .generated, .existential: self
    }
  }

  /// The number of lists around the named type.
  var listDepth: Int {
    switch self {
    case .array(let element): element.listDepth + 1
    case .optional(let inner): inner.listDepth
    case .named, .generated, .existential: 0
    }
  }
}
