#if !ONE_MODULE
  public import GraphQLSchema
#endif

/// Keeps the elements of a plan that its users' sources can name.
///
/// Generated members are only used by their names. A field is kept if the name of its builder
/// method, of its property or of its aliased reader occurs in the sources, and if its type can be
/// reached. A type is reached from a root whose build function is named, through kept fields,
/// because one of its classes is named, or because its objects may be cast to a protocol that is
/// named. Names are not decided again, so kept elements look the same as without pruning.
///
/// Documents with operations and fragments use elements as well, by their names in the schema. Without
/// builders, only they use objects and their fields, and nothing else is kept of these but keys and versions.
///
/// These are kept without being named: key and version fields, page info and cursors of
/// connections, and user errors with all their fields.
final class UsagePruner {
  private let plan: GenerationPlan
  private let words: SwiftIdentifiers
  private let documents: DocumentUses?
  private let composites: [String: CompositePlan]
  private let byQueryClass: [String: String]
  /// Fields that the store needs, as `Type.field`.
  private let storeFields: Set<String>

  /// Composites by schema name, in the order in which they were reached.
  private var reached: [String] = []
  private var kept: [String: CompositePlan] = [:]
  /// The types of user errors: all their leaves are kept.
  private var errorTypes: Set<String> = []

  static func prune(
    _ plan: GenerationPlan, to words: SwiftIdentifiers, _ documents: DocumentUses? = nil
  ) -> (plan: GenerationPlan, report: PruningReport) {
    let pruner = UsagePruner(plan, words, documents)
    pruner.reachAll()
    let pruned = pruner.prunedPlan
    return (pruned, PruningReport(from: plan, to: pruned))
  }

  private init(_ plan: GenerationPlan, _ words: SwiftIdentifiers, _ documents: DocumentUses?) {
    self.plan = plan
    self.words = words
    self.documents = documents
    composites = Dictionary(uniqueKeysWithValues: plan.composites.map { ($0.schemaName, $0) })
    byQueryClass = Dictionary(
      uniqueKeysWithValues: plan.composites.map { ($0.queryClass, $0.schemaName) })
    storeFields = TableLines.storeFields(plan.table)
  }

  // MARK: Reaching

  private func reachAll() {
    for root in roots { reach(byQueryClass[root.queryClass]) }
    for composite in plan.composites where isNamed(composite) { reach(composite.schemaName) }
    var next = 0
    repeat {
      while next < reached.count {
        follow(reached[next])
        next += 1
      }
      reachCastObjects()
    } while next < reached.count
  }

  /// Reaches objects that can be cast: their position has one abstract type, and they also have
  /// another one that the sources name. Without their own class they would be values of an unlisted
  /// type, for which the cast fails.
  private func reachCastObjects() {
    let abstract = kept.values.filter(\.isAbstract)
    let arriving = Set(abstract.map(\.responseType))
    let named = Set(abstract.map(\.responseType).filter(names))
    for object in plan.composites where !object.isAbstract {
      let protocols = arriving.intersection(object.protocols)
      if protocols.count > 1, !protocols.isDisjoint(with: named) { reach(object.schemaName) }
    }
  }

  private func reach(_ name: String?) {
    guard let name, kept[name] == nil, let composite = composites[name] else { return }
    kept[name] = composite
    reached.append(name)
  }

  /// Keeps the named members of a reached type, and reaches their types.
  private func follow(_ name: String) {
    guard var composite = kept[name] else { return }
    composite.fields = composite.fields.filter { keeps($0, of: composite) }.map { field in
      let (arguments, documentation) = named(field.arguments, field.documentation)
      return field.keeping(arguments, documentation)
    }
    composite.conditions = composite.conditions.filter { names($0.method) }
    kept[name] = composite
    for field in composite.fields {
      guard let target = field.subfields.flatMap({ byQueryClass[$0] }) else { continue }
      if field.isUserErrors { markErrors(target) }
      reach(target)
    }
    for condition in composite.conditions { reach(condition.schemaName) }
  }

  private func markErrors(_ name: String) {
    guard errorTypes.insert(name).inserted, kept[name] != nil else { return }
    // Reached before it was known to be a type of user errors.
    kept[name] = composites[name]
    reached.append(name)
  }

  private func keeps(_ field: FieldPlan, of composite: CompositePlan) -> Bool {
    let coordinate = "\(composite.schemaName).\(field.schemaName)"
    if storeFields.contains(coordinate) || documents?.fields.contains(coordinate) ?? false {
      return true
    }
    guard plan.hasBuilders else { return false }
    return words.contains(field.method) || words.contains(field.property)
      || field.aliasedReader.map(words.contains) ?? false || field.isUserErrors
      || field.isPaging(of: composite)
      || (errorTypes.contains(composite.schemaName) && field.subfields == nil)
  }

  /// An argument that may be left out is used by its label. The comment describes only the
  /// remaining ones.
  private func named(
    _ arguments: [ArgumentPlan], _ documentation: Documentation
  ) -> ([ArgumentPlan], Documentation) {
    let arguments = arguments.filter { plan.hasBuilders && $0.isRequired || names($0.label) }
    var documentation = documentation
    documentation.parameters.removeAll { note in
      !arguments.contains { $0.variable == note.name }
    }
    return (arguments, documentation)
  }

  private var roots: [RootPlan] {
    plan.roots.filter { root in
      names(root.operation.buildFunction)
        || byQueryClass[root.queryClass].flatMap { composites[$0] }.map(isNamed) ?? false
    }
  }

  private func isNamed(_ composite: CompositePlan) -> Bool {
    documents?.types.contains(composite.schemaName) ?? false || names(composite.queryClass)
      || names(composite.responseType) || names(composite.responseClass)
  }

  /// Whether the sources use a name of a builder, or of a class for responses.
  private func names(_ name: String) -> Bool { plan.hasBuilders && words.contains(name) }

  // MARK: The pruned plan

  private var prunedPlan: GenerationPlan {
    var pruned = plan
    pruned.roots = roots
    pruned.composites = plan.composites.compactMap { kept[$0.schemaName] }
    let protocols = Set(pruned.composites.filter(\.isAbstract).map(\.responseType))
    for position in pruned.composites.indices {
      pruned.composites[position].protocols.removeAll { !protocols.contains($0) }
    }
    pruned.directives = plan.directives.filter { names($0.function) }
    for position in pruned.directives.indices {
      let directive = pruned.directives[position]
      (pruned.directives[position].arguments, pruned.directives[position].documentation) =
        named(directive.arguments, directive.documentation)
    }
    let values = UsedValues(in: pruned, words: words, documents: documents)
    pruned.enums = plan.enums.filter { values.names.contains($0.name) }
    pruned.inputs = values.inputs
    pruned.oneOfs = plan.oneOfs.filter { values.names.contains($0.name) }
    pruned.table = TableLines.pruned(plan.table, to: pruned)
    return pruned
  }
}

extension FieldPlan {
  /// The errors of a mutation that the user can correct: by convention `userErrors`, or a field
  /// whose name ends in that way.
  fileprivate var isUserErrors: Bool {
    subfields != nil && (schemaName == "userErrors" || schemaName.hasSuffix("UserErrors"))
  }

  /// The parts of the cursor connections convention that paging needs.
  fileprivate func isPaging(of composite: CompositePlan) -> Bool {
    switch schemaName {
    case "pageInfo": composite.schemaName.hasSuffix("Connection")
    case "cursor": composite.schemaName.hasSuffix("Edge")
    default: composite.schemaName == "PageInfo"
    }
  }
}

extension RootPlan.Operation {
  fileprivate var buildFunction: String {
    switch self {
    case .query: "buildQuery"
    case .mutation: "buildMutation"
    case .subscription: "buildSubscription"
    }
  }
}

/// Enums and input objects to which a pruned plan still refers, or that the sources name.
struct UsedValues {
  /// Swift names.
  private(set) var names: Set<String> = []
  /// The input objects among them, without the optional fields that the sources do not name.
  private(set) var inputs: [InputObjectPlan] = []
  private var pending: [String] = []

  init(in plan: GenerationPlan, words: SwiftIdentifiers, documents: DocumentUses? = nil) {
    for composite in plan.composites {
      for field in composite.fields {
        use(field.type)
        field.arguments.forEach { use($0.type) }
      }
    }
    for directive in plan.directives { directive.arguments.forEach { use($0.type) } }
    let named = plan.enums.map(\.name) + plan.inputs.map(\.name) + plan.oneOfs.map(\.name)
    for name in named where words.contains(name) { use(.generated(name)) }

    if let documents {
      let types =
        plan.enums.map { ($0.schemaName, $0.name) } + plan.inputs.map { ($0.schemaName, $0.name) }
        + plan.oneOfs.map { ($0.schemaName, $0.name) }
      for (schemaName, name) in types where documents.values.contains(schemaName) {
        use(.generated(name))
      }
    }

    let inputsByName = Dictionary(uniqueKeysWithValues: plan.inputs.map { ($0.name, $0) })
    let oneOfsByName = Dictionary(uniqueKeysWithValues: plan.oneOfs.map { ($0.name, $0) })
    var kept: [String: InputObjectPlan] = [:]
    while let name = pending.popLast() {
      if var input = inputsByName[name] {
        input.fields.removeAll { field in
          !field.argument.isRequired && !words.contains(field.argument.label)
            && !words.contains(field.property)
        }
        input.fields.forEach { use($0.argument.type) }
        kept[name] = input
      }
      oneOfsByName[name]?.cases.forEach { use($0.type) }
    }
    inputs = plan.inputs.compactMap { kept[$0.name] }
  }

  private mutating func use(_ type: SwiftType) {
    switch type {
    case .named, .existential: break
    case .generated(let name): if names.insert(name).inserted { pending.append(name) }
    case .optional(let inner), .array(let inner): use(inner)
    }
  }
}

/// The schema table as lines: those of types start with a mark, those of fields with a name.
enum TableLines {
  /// Key and version fields, as `Type.field`.
  static func storeFields(_ lines: [String]) -> Set<String> {
    var fields: Set<String> = []
    for line in lines where line.hasPrefix("@") {
      let words = line.dropFirst().split(separator: " ")
      for word in words.dropFirst() {
        for attribute in ["key:", "version:"] where word.hasPrefix(attribute) {
          for field in word.dropFirst(attribute.count).split(separator: ",") {
            fields.insert("\(words[0]).\(field)")
          }
        }
      }
    }
    return fields
  }

  /// The lines of the elements that a pruned plan still has.
  static func pruned(_ lines: [String], to plan: GenerationPlan) -> [String] {
    var fields: [String: Set<String>] = [:]
    for composite in plan.composites {
      fields[composite.schemaName] = Set(composite.fields.map(\.schemaName))
    }
    for input in plan.inputs {
      fields[input.schemaName] = Set(input.fields.map(\.argument.schemaName))
    }
    for oneOf in plan.oneOfs { fields[oneOf.schemaName] = Set(oneOf.cases.map(\.schemaName)) }
    for type in plan.enums { fields[type.schemaName] = [] }
    let directives = Set(plan.directives.map(\.schemaName))
    let scalars = Set(lines.filter { $0.hasPrefix("$") }.map { name(of: $0) })

    var result: [String] = []
    var current: Set<String>?
    for line in lines {
      switch line.first {
      case ">": result.append(roots(line, plan))
      case "%": if directives.contains(name(of: line)) { result.append(line) }
      case "$": if scalars.contains(name(of: line)) { result.append(line) }
      case "@", "&", "|", "=", "<":
        current = fields[name(of: line)]
        if current != nil { result.append(line) }
      default: if current?.contains(name(of: line)) == true { result.append(line) }
      }
    }
    return result
  }

  /// The remaining roots, with a dash for the others.
  private static func roots(_ line: String, _ plan: GenerationPlan) -> String {
    let names = line.dropFirst().split(separator: " ")
    let kept = zip(RootPlan.Operation.allCases, names).map { operation, name in
      plan.roots.contains { $0.operation == operation } ? String(name) : "-"
    }
    return ">" + kept.joined(separator: " ")
  }

  /// The name at the start of a line, after its mark.
  private static func name(of line: String) -> String {
    let text = line.drop { "@&|=<!$%".contains($0) }
    return String(text.prefix { $0 != " " && $0 != "(" })
  }
}

/// The result of pruning: kept and dropped elements.
public struct PruningReport: Sendable, Equatable {
  /// Fields of objects and interfaces by schema coordinate (`Product.title`), sorted by type.
  public let keptFields: [String]
  /// Fields that were left out, likewise.
  public let droppedFields: [String]
  /// Objects, interfaces, unions, enums and input objects by schema name.
  public let keptTypes: [String]
  /// Types that were left out, likewise.
  public let droppedTypes: [String]

  init(from plan: GenerationPlan, to pruned: GenerationPlan) {
    let kept = Set(pruned.fieldCoordinates)
    (keptFields, droppedFields) = plan.fieldCoordinates.parted { kept.contains($0) }
    let types = Set(pruned.typeNames)
    (keptTypes, droppedTypes) = plan.typeNames.parted { types.contains($0) }
  }

  /// `40 of 4,123 fields and 12 of 424 types are kept.`
  public var summary: String {
    "\(keptFields.count) of \(keptFields.count + droppedFields.count) fields and "
      + "\(keptTypes.count) of \(keptTypes.count + droppedTypes.count) types are kept."
  }
}

extension GenerationPlan {
  fileprivate var fieldCoordinates: [String] {
    composites.flatMap { type in type.fields.map { "\(type.schemaName).\($0.schemaName)" } }
  }

  fileprivate var typeNames: [String] {
    composites.map(\.schemaName) + enums.map(\.schemaName) + inputs.map(\.schemaName)
      + oneOfs.map(\.schemaName)
  }
}

extension [String] {
  fileprivate func parted(by condition: (String) -> Bool) -> (yes: [String], no: [String]) {
    (filter(condition), filter { !condition($0) })
  }
}

/// The elements of a schema that documents use. A module that is pruned by usage keeps them, since the
/// code of the documents and the reading of their responses need them.
public struct DocumentUses: Sendable, Equatable {
  /// Names of objects, interfaces and unions.
  private(set) var types: Set<String> = []
  /// Fields as `Type.field`.
  private(set) var fields: Set<String> = []
  /// Names of enums and input objects of variables.
  private(set) var values: Set<String> = []

  /// Collects the elements. Syntax errors and unknown names are left to the validation.
  ///
  /// - Parameter configuration: has the keys that are added to documents.
  public init(
    _ documents: [Source], schema: ServiceSchema, configuration: Configuration = Configuration()
  ) {
    var collector = Collector(schema: schema)
    let documents = Document.parse(documents).documents
    let sent = OperationsPipeline(configuration: configuration).sent(documents, of: schema)
    // As they are written and as they are sent: keys are added to objects whose type has none, too.
    for document in documents + sent {
      for operation in document.operations {
        for variable in operation.variables {
          collector.uses.values.insert(variable.type.namedType)
        }
        let root = schema.rootType(for: operation.operationType).map(NamedType.object)
        collector.visit(operation.selectionSet, on: root)
      }
      for fragment in document.fragments {
        collector.visit(
          fragment.selectionSet, on: schema.type(named: fragment.typeCondition.name))
      }
    }
    self = collector.uses
  }

  private init() {}

  private struct Collector {
    let schema: ServiceSchema
    var uses = DocumentUses()

    init(schema: ServiceSchema) { self.schema = schema }

    // The parser limits the nesting.
    mutating func visit(_ selectionSet: Document.SelectionSet, on parent: NamedType?) {
      guard let parent else { return }
      use(parent)
      for selection in selectionSet.selections {
        switch selection {
        case .field(let field):
          use(field.name, of: parent)
          if let selectionSet = field.selectionSet {
            let type = parent.fields?[field.name].flatMap { schema.namedType(of: $0.type) }
            visit(selectionSet, on: type)
          }
        case .inlineFragment(let fragment):
          let condition = fragment.typeCondition.flatMap { schema.type(named: $0.name) }
          visit(fragment.selectionSet, on: condition ?? parent)
        case .fragmentSpread: break
        }
      }
    }

    /// The objects that can be at the position of an abstract type are needed to tell which fragments
    /// apply to them.
    private mutating func use(_ type: NamedType) {
      guard uses.types.insert(type.name).inserted, type.isAbstractType else { return }
      for object in schema.possibleTypes(of: type) { uses.types.insert(object.name) }
    }

    /// The field of an interface is read of objects. Interfaces that implement it may have it with another type,
    /// which decides which fragments certainly apply.
    private mutating func use(_ field: String, of type: NamedType) {
      guard uses.fields.insert("\(type.name).\(field)").inserted, type.isAbstractType else {
        return
      }
      for object in schema.possibleTypes(of: type) { uses.fields.insert("\(object.name).\(field)") }
      guard case .interface(let interface) = type else { return }
      for case .interface(let other) in schema.implementations(of: interface) {
        uses.fields.insert("\(other.name).\(field)")
        if let type = other.fields[field].flatMap({ schema.namedType(of: $0.type) }) { use(type) }
      }
    }
  }
}

/// The words of Swift sources that could be names of generated members.
///
/// Words in comments and strings count as well. That may keep too much but never too little, and
/// needs no parser; raw queries name their fields in strings.
public struct SwiftIdentifiers: Sendable, Equatable {
  private var words: Set<String> = []

  public init() {}

  /// Adds the words of one source file.
  public mutating func collect(from source: [UInt8]) {
    var start = 0
    while start < source.count {
      guard Self.isStart(source[start]) else {
        start += 1
        continue
      }
      var end = start + 1
      while end < source.count, Self.isStart(source[end]) || Self.isDigit(source[end]) { end += 1 }
      words.insert(String(decoding: source[start..<end], as: UTF8.self))
      start = end
    }
  }

  /// Whether a Swift name occurs, with backticks or without.
  public func contains(_ name: String) -> Bool {
    words.contains(name) || (name.hasPrefix("`") && words.contains(name.trimmed))
  }

  private static func isStart(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

extension String {
  /// The word without backticks.
  fileprivate var trimmed: String { String(dropFirst().dropLast()) }
}
