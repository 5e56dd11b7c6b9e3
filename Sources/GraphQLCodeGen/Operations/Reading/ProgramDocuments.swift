#if !ONE_MODULE
  package import GraphQLSchema
#endif

/// The documents of a module, read and validated together with the fragments that they use of other
/// modules.
///
/// A document with an error is *faulty*, and so is one that uses a fragment of a faulty document:
/// nothing is generated from either.
struct ProgramDocuments {
  /// The module's own sources, then those of the imported modules.
  let sources: [Source]
  /// The module's own documents: those of the first sources.
  private(set) var documents: [Document]
  /// The fragments of the documents, and those of other modules that they use.
  private(set) var fragments: [String: FragmentDefinition]
  /// The modules of those fragments that are not the module's own.
  private(set) var modules: [String: OperationsPipeline.Module] = [:]
  /// The directives of the client in each operation, by the operation's name.
  private(set) var clientDirectives: [String: [ClientDirectiveUse]] = [:]
  private(set) var report = Report()

  /// The indices of faulty sources.
  private var faulty: Set<Int> = []
  private let indices: [String: Int]

  /// Parses and validates.
  static func read(
    _ own: [Source], imported: [OperationsPipeline.Module], schema: ServiceSchema,
    configuration: Configuration
  ) -> ProgramDocuments {
    let sources = own + imported.flatMap(\.documents)
    let (parsed, errors) = Document.parse(sources)
    let documents = parsed.map(ClientDirectives.foreign(schema).removed)
    var program = ProgramDocuments(sources: sources, documents: Array(documents[..<own.count]))
    program.add(errors)
    program.add(CaughtErrors.misplaced(in: Array(parsed[..<own.count]), sources, schema))
    let others = program.addFragments(
      of: imported, Array(documents[own.count...]))
    let all = Document(definitions: program.documents.flatMap(\.definitions) + others)
    program.add(
      all.validate(against: schema, sources: sources).map(withPlaceOfFragments)
        .map(program.atOwnFragment))
    program.remove(.configured(configuration), schema)
    return program
  }

  /// Removes the directives of the client, and notes their values.
  private mutating func remove(_ directives: ClientDirectives, _ schema: ServiceSchema) {
    if directives.isEmpty { return }
    let fragments = fragments.values.map { Document.Definition.fragment($0) }
    let definitions = documents.flatMap(\.definitions) + fragments
    guard definitions.contains(where: directives.isAffected) else { return }
    let finder = ClientDirectiveFinder(directives, in: self, schema)
    for operation in documents.flatMap(\.operations) where !isFaulty(operation.range) {
      let found = finder.uses(in: operation)
      if let name = operation.name, !found.isEmpty { clientDirectives[name] = found }
    }
    add(finder.report)
    documents = documents.map(directives.removed)
    self.fragments = [directives.removed(from: Document(definitions: fragments))].fragmentsByName
  }

  /// A fragment may be unknown because its module is not a dependency.
  private static func withPlaceOfFragments(_ diagnostic: Diagnostic) -> Diagnostic {
    guard diagnostic.code == "KnownFragments", diagnostic.suggestion == nil else {
      return diagnostic
    }
    var diagnostic = diagnostic
    diagnostic.suggestion =
      "Define it in a document of this module, or of a dependency with \"access\" \"public\", or \"package\" in the same package."
    return diagnostic
  }

  /// A fragment of another module is read after the module's own of the same name, which is the one to rename.
  private func atOwnFragment(_ diagnostic: Diagnostic) -> Diagnostic {
    guard diagnostic.code == "UniqueFragmentNames", let imported = diagnostic.position,
      indices[imported.source].map({ $0 >= documents.count }) == true,
      let own = diagnostic.notes.first?.position,
      indices[own.source].map({ $0 < documents.count }) == true
    else { return diagnostic }
    var diagnostic = diagnostic
    diagnostic.position = own
    diagnostic.notes = [
      Diagnostic.Note(
        "The documents also use this one of another module, through its fragments.", at: imported)
    ]
    diagnostic.suggestion = "Rename the fragment of this module."
    return diagnostic
  }

  init(sources: [Source], documents: [Document]) {
    self.sources = sources
    self.documents = documents
    indices = Dictionary(
      zip(sources.map(\.name), sources.indices), uniquingKeysWith: { first, _ in first })
    fragments = documents.fragmentsByName
  }

  func isFaulty(_ range: SourceRange) -> Bool { isFaulty(sourceAt: Int(range.source)) }

  func isFaulty(sourceAt index: Int) -> Bool { faulty.contains(index) }

  func position(of range: SourceRange) -> SourcePosition? { sources.position(of: range) }

  /// Adds findings, and notes which documents are faulty because of them.
  mutating func add(_ report: Report) { add(report.diagnostics) }

  private mutating func add(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics { add(diagnostic) }
  }

  mutating func add(_ diagnostic: Diagnostic) {
    report.append(diagnostic)
    if diagnostic.severity == .error { noteFault(diagnostic) }
  }

  private mutating func noteFault(_ diagnostic: Diagnostic) {
    var positions = [diagnostic.position]
    switch diagnostic.code {
    // The operation lacks a variable for the fragment that is at the position.
    case "KnownVariables", "VariableUsages": positions = diagnostic.notes.map(\.position)
    // An imported fragment is read after the module's own.
    case "UniqueFragmentNames": positions += diagnostic.notes.map(\.position)
    default: break
    }
    let found = positions.compactMap { $0.flatMap { indices[$0.source] } }
    faulty.formUnion(found.isEmpty ? Array(sources.indices) : found)
  }

  /// Finds the fragments of imported modules that the module's documents use, directly or through
  /// others.
  ///
  /// - Parameter documents: The documents of all imported modules, in their order.
  private mutating func addFragments(
    of imported: [OperationsPipeline.Module], _ documents: [Document]
  ) -> [Document.Definition] {
    guard !imported.isEmpty else { return [] }
    var rest = documents[...]
    let available = imported.map { module in
      let own = rest.prefix(module.documents.count)
      rest = rest.dropFirst(module.documents.count)
      return own.fragmentsByName
    }
    var found: [Document.Definition] = []
    var conflicts: Set<String> = []
    var ambiguous: Set<SourceRange> = []
    var pending = self.documents.flatMap(\.definitions).compactMap(\.selectionSet)
      .flatMap(\.spreads).map { (spread: $0, user: nil as Int?) }
    while let next = pending.popLast() {
      let name = next.spread.name
      // A module's own fragment comes before those of other modules.
      if next.user == nil, fragments[name] != nil { continue }
      let candidates = imported.indices.filter { available[$0][name] != nil }
      let owner = candidates.first { $0 == next.user } ?? candidates.first
      guard let owner, let fragment = available[owner][name] else { continue }
      let places = Set(
        candidates.compactMap { available[$0][name] }.map { sources[Int($0.nameRange.source)].name }
      )
      // It is not known on which others an imported module depends. Several may have one file.
      if owner != next.user, candidates.count > 1, next.user == nil || places.count > 1,
        ambiguous.insert(next.spread.nameRange).inserted
      {
        report.error(
          "AmbiguousFragment",
          "Several modules have a fragment \(quoted(name)).",
          at: position(of: next.spread.nameRange), suggestion: "Rename all but one of them.",
          notes: candidates.compactMap { available[$0][name] }.map {
            Diagnostic.Note("One of them is here.", at: position(of: $0.nameRange))
          })
        faulty.insert(Int(next.spread.nameRange.source))
      }
      if let known = fragments[name] {
        // Both would be sent: the validation reports it. Several modules may have one file.
        let places = [known, fragment].map { sources[Int($0.nameRange.source)].name }
        if places[0] != places[1], conflicts.insert(name).inserted {
          found.append(.fragment(fragment))
        }
        continue
      }
      fragments[name] = fragment
      modules[name] = imported[owner]
      found.append(.fragment(fragment))
      pending += fragment.selectionSet.spreads.map { ($0, owner) }
    }
    return found
  }

  /// Adds warnings about what is probably a mistake. In faulty documents, the errors come first.
  mutating func lint(
    _ schema: ServiceSchema, reports rules: Set<DocumentLinter.Rule>,
    isNamed: @escaping (String) -> Bool
  ) {
    let linter = DocumentLinter(
      documents, sources: sources, fragments: fragments, schema: schema, reports: rules
    ) { isNamed(DefinitionNames.type(ofFragment: $0)) }
    add(
      linter.findings().filter { finding in
        guard let index = finding.position.flatMap({ indices[$0.source] }) else { return true }
        return !faulty.contains(index)
      })
  }

  /// Reports documents that use fragments of faulty documents, until there are no more.
  mutating func spreadFaults() {
    if faulty.isEmpty { return }
    let uses = documents.map { $0.definitions.compactMap(\.selectionSet).flatMap(\.spreads) }
    var isComplete = false
    while !isComplete {
      isComplete = true
      for (index, spreads) in uses.enumerated() where !faulty.contains(index) {
        let spread = spreads.first { spread in
          fragments[spread.name].map { isFaulty($0.nameRange) } ?? true
        }
        guard let spread else { continue }
        report.error(
          "FaultyFragment",
          "The fragment \(quoted(spread.name)) is in a document with errors.",
          at: position(of: spread.nameRange))
        faulty.insert(index)
        isComplete = false
      }
    }
  }

  /// All findings, by source and position.
  var diagnostics: [Diagnostic] {
    func place(_ diagnostic: Diagnostic) -> (Int, Int, Int) {
      guard let position = diagnostic.position else { return (-1, 0, 0) }
      return (indices[position.source] ?? -1, position.line, position.column)
    }
    let found = report.diagnostics
    let places = found.map(place)
    return found.indices.sorted {
      places[$0] == places[$1] ? $0 < $1 : places[$0] < places[$1]
    }.map { found[$0] }
  }
}

extension Document.SelectionSet {
  /// The spreads in the set and in all sets within it, in the order in which they are written.
  package var spreads: [Document.FragmentSpread] {
    var found: [Document.FragmentSpread] = []
    collectSpreads(into: &found)
    return found
  }

  private func collectSpreads(into found: inout [Document.FragmentSpread]) {
    for selection in selections {
      switch selection {
      case .field(let field): field.selectionSet?.collectSpreads(into: &found)
      case .inlineFragment(let fragment): fragment.selectionSet.collectSpreads(into: &found)
      case .fragmentSpread(let spread): found.append(spread)
      }
    }
  }
}

extension Document.Definition {
  /// The selection set of an operation or fragment; nil for other definitions.
  var selectionSet: Document.SelectionSet? {
    switch self {
    case .operation(let operation): operation.selectionSet
    case .fragment(let fragment): fragment.selectionSet
    default: nil
    }
  }
}

/// The Swift types of operations and fragments. They are the names that users write, so none is changed
/// because of a clash: that is an error, which names a way out.
struct DefinitionNames {
  /// The enum around them; nil if they are at the top level of the module.
  let namespace: String?
  private(set) var report = Report()
  private let schemaNamespace: String
  private let access: Configuration.AccessLevel
  private let modules: Set<String>
  private let scalars: ScalarNames
  private var firsts: [String: (what: String, written: String, range: SourceRange)] = [:]

  init(configuration: Configuration, modules: [String], scalars: ScalarNames) {
    namespace = configuration.operations.namespace?.value
    schemaNamespace = configuration.namespace
    access = configuration.access
    self.modules = Set(modules)
    self.scalars = scalars
  }

  /// The type of an operation: its name, with the kind at its end.
  static func type(of operation: OperationDefinition) -> String? {
    guard let name = operation.name.map(CaseConversion.capitalized) else { return nil }
    let kind = CaseConversion.capitalized(operation.operationType.rawValue)
    return name.hasSuffix(kind) ? name : name + kind
  }

  /// The type of a fragment: its name.
  static func type(ofFragment name: String) -> String { CaseConversion.capitalized(name) }

  /// Checks the name of a definition of the module.
  mutating func check(_ definition: Document.Definition, in program: ProgramDocuments) {
    let (name, what, written, range): (String, String, String, SourceRange)
    switch definition {
    case .operation(let operation):
      guard let type = Self.type(of: operation) else {
        report.error(
          "UnnamedOperation",
          "This \(operation.operationType.rawValue) needs a name, from which its Swift type gets one.",
          at: program.position(of: operation.nameRange),
          suggestion: "Name it, as in `\(operation.operationType.rawValue) ProductList { … }`.")
        return
      }
      (name, what, written, range) = (
        type, "operation", operation.name ?? "", operation.nameRange
      )
    case .fragment(let fragment):
      (name, what, written, range) = (
        Self.type(ofFragment: fragment.name), "fragment", fragment.name, fragment.nameRange
      )
    default: return
    }
    if let reason = reason(against: name) {
      report.error(
        "ReservedTypeName",
        "The Swift type of this \(what) cannot be called \(quoted(name)): \(reason).",
        at: program.position(of: range), suggestion: suggestion(for: name))
    } else if let first = firsts[name] {
      // The validation reports two operations, or two fragments, of one name.
      if first.what == what, first.written == written { return }
      report.error(
        "DuplicateTypeName",
        "The Swift type of this \(what) would be a second \(quoted(name)).",
        at: program.position(of: range), suggestion: "Rename one of them.",
        notes: [.init("The first one is here.", at: program.position(of: first.range))])
    } else {
      firsts[name] = (what, written, range)
    }
  }

  /// Checks what the code of operations names by a path, which the types in the struct of an operation would hide.
  mutating func checkScalars(_ scalars: [String: Located<ScalarMapping>]) {
    for (scalar, mapping) in scalars.sorted(by: { $0.key < $1.key }) {
      let isQualified = mapping.value.qualifiedType(unlessHiddenBy: [schemaNamespace]) != nil
      guard case .custom(_, let module) = mapping.value,
        let name = isQualified ? module : mapping.value.firstName,
        Self.operationTypes.contains(name)
      else { continue }
      report.error(
        "HiddenScalarType",
        "Each operation has a type \(quoted(name)), which hides the \(isQualified ? "module" : "type")"
          + " of the scalar \(quoted(scalar)).",
        at: mapping.position,
        suggestion: isQualified
          ? "Declare another name for the type in a module with another name."
          : "Set the module of the type with `import`, or rename it.")
    }
  }

  /// Checks the modules of the fragments that documents spread, which the code names before the fragment.
  mutating func checkModules(of program: ProgramDocuments) {
    if program.modules.isEmpty { return }
    let definitions = program.documents.flatMap(\.definitions)
    for spread in definitions.flatMap({ $0.selectionSet?.spreads ?? [] }) {
      guard let owner = program.modules[spread.name] else { continue }
      let module = owner.name
      if access.isWider(than: owner.access) {
        report.error(
          "HiddenFragment",
          "The types of these documents are \(access.rawValue), but those of the module \(quoted(module)), with the "
            + "fragment \(quoted(spread.name)), are \(owner.access.rawValue).",
          at: program.position(of: spread.nameRange),
          suggestion: "Set the same `access` in the configurations of both.")
      }
      guard let hider = hider(of: module) else { continue }
      report.error(
        "HiddenModule",
        "Generated code cannot name the module \(quoted(module)) of the fragment \(quoted(spread.name)): \(hider).",
        at: program.position(of: spread.nameRange),
        suggestion: module == schemaNamespace
          ? "Rename the module, or set another `namespace` for the schema in its configuration."
          : "Rename the module.")
    }
  }

  private func hider(of module: String) -> String? {
    if module == schemaNamespace { return "this is the namespace of the schema" }
    if Self.operationTypes.contains(module) { return "each operation has a type of this name" }
    let isSwiftType = Self.standardTypes.contains(module) || Self.swiftTypes.contains(module)
    return isSwiftType ? "Swift or GraphQLRuntime has a type of this name" : nil
  }

  static let isOfScalar = "the type of a scalar in the configuration, or its module, has this name"

  private func reason(against name: String) -> String? {
    if name == schemaNamespace { return "this is the namespace of the schema" }
    if name == namespace { return "this is the namespace of the operations" }
    if modules.contains(name) { return "this is the name of a module" }
    if scalars.inDocuments.contains(name) { return Self.isOfScalar }
    if Self.isNeeded(name) || !Identifier.isSwiftName(name) {
      return "generated code needs the name"
    }
    if namespace != nil { return nil }
    if scalars.inSchema.contains(name) { return Self.isOfScalar }
    if Self.swiftTypes.contains(name) { return "Swift has a type of this name" }
    if Self.foundationTypes.contains(name) { return "Foundation has a type of this name" }
    return Self.viewTypes.contains(name) ? "SwiftUI has a type of this name" : nil
  }

  private func suggestion(for name: String) -> String {
    let helpful =
      namespace == nil && !Self.isNeeded(name) && name != schemaNamespace
      && !scalars.inDocuments.contains(name)
    return helpful
      ? "Rename it, or set a namespace with `operations` in the configuration." : "Rename it."
  }

  /// Whether the code of operations mentions the name, or the struct of an operation has a type of this name, which
  /// would hide that of the fragment.
  private static func isNeeded(_ name: String) -> Bool {
    standardTypes.contains(name) || operationTypes.contains(name)
  }

  /// The types in the struct of an operation.
  private static let operationTypes: WordSet = [RuntimeSymbols.data, RuntimeSymbols.response]

  /// Names that the code of operations mentions.
  static let standardTypes: WordSet = [
    "Swift", "Foundation", "Graph", "GraphQL", "GraphQLRuntime", "Any", "Bool", "Double", "Int",
    "String", "Hashable",
    "Identifiable", "Sendable", "Data",
  ]

  /// Types of the standard library that programs use.
  private static let swiftTypes: WordSet = [
    "Actor", "AnyHashable", "AnyKeyPath", "AnyObject", "Array", "ArraySlice", "AsyncSequence",
    "AsyncStream",
    "CaseIterable", "Character", "Clock", "ClosedRange", "Codable", "CodingKey", "Collection",
    "Comparable",
    "Decodable", "Decoder", "Dictionary", "Duration", "Encodable", "Encoder", "Equatable", "Error",
    "Float", "Hasher", "InlineArray", "Int32", "Int64", "Iterator", "KeyPath", "MainActor",
    "Mirror", "Never",
    "Numeric", "Optional", "Range", "RawRepresentable", "RawSpan", "Regex", "Result", "Sequence",
    "Set",
    "SIMD2", "Slice", "Span", "StaticString", "Substring", "Task", "TaskGroup", "UInt", "UInt8",
    "Unicode", "Unmanaged", "UnsafePointer",
    "Void",
  ]

  private static let foundationTypes: WordSet = [
    "Bundle", "Calendar", "Date", "DateInterval", "Decimal", "FileManager", "Formatter",
    "IndexPath",
    "IndexSet", "Locale", "Measurement", "Notification", "Operation", "Predicate", "Process",
    "Progress", "Stream", "Thread", "TimeZone", "Timer", "Unit", "URL", "URLRequest", "URLSession",
    "UUID",
  ]

  private static let viewTypes: WordSet = [
    "Alert", "Alignment", "Anchor", "Angle", "Animation", "App", "AppStorage", "Axis", "Binding",
    "Button", "Canvas", "Capsule", "Circle", "Color", "ColorPicker", "Commands", "Divider",
    "DatePicker", "Edge", "EditMode", "Ellipse", "EmptyView", "Environment", "Event",
    "FetchRequest",
    "Font", "ForEach", "Form", "Gauge", "Gesture", "Gradient", "Grid", "GridItem", "Group",
    "HStack",
    "Image", "Label", "LazyHGrid", "LazyHStack", "LazyVGrid", "LazyVStack", "Layout", "Link",
    "List",
    "Material",
    "Menu", "Model", "Namespace", "NavigationLink", "NavigationPath", "NavigationStack",
    "NavigationView", "Observable", "ObservableObject", "OutlineGroup", "Path", "Picker",
    "PhotosPicker", "Preview", "PreviewProvider", "PrimitiveButtonStyle", "Published", "Query",
    "Rectangle", "RoundedRectangle", "Scene", "SceneStorage", "ScrollView", "Section", "Settings",
    "Shape", "ShareLink", "Slider", "Spacer", "State", "StateObject", "Stepper", "Tab", "Table",
    "TabView", "Text", "TextEditor", "TextField", "TimelineView", "Toggle", "ToolbarItem",
    "Transaction", "Transition", "VStack", "View", "ViewBuilder", "ViewModifier", "Visibility",
    "Window", "WindowGroup", "ZStack",
  ]
}

/// The first names of the types of custom scalars, as generated code of a module spells them: modules, or types
/// without one. A type of the module's documents with such a name would hide what it means.
struct ScalarNames {
  /// In the code of documents, which a type in a namespace hides as well.
  private(set) var inDocuments: Set<String> = []
  /// In the code of the schema.
  private(set) var inSchema: Set<String> = []

  /// - Parameter schema: the types of the schema, if their code is in the module of the documents.
  init(_ configuration: Configuration, schema: TypeNames?) {
    for mapping in configuration.scalars.values.map(\.value) {
      Self.insert(mapping.typeInDocuments(namespace: configuration.namespace), into: &inDocuments)
      guard let schema else { continue }
      Self.insert(mapping.typeInSchema(declared: schema.declared), into: &inSchema)
    }
  }

  func contains(_ name: String) -> Bool { inDocuments.contains(name) || inSchema.contains(name) }

  private static func insert(_ type: String?, into names: inout Set<String>) {
    if let type { names.insert(String(type.prefix { $0 != "." })) }
  }
}
