import GraphQLSchema

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
