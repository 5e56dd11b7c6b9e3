#if !ONE_MODULE
  public import GraphQLSchema
#endif

/// From a schema to the files of a Swift module, in stages with a type at each boundary.
///
/// 1. *Select.* The allow and deny lists select the part of the `ServiceSchema` that is generated; the
///    rest is made consistent again.
/// 2. *Plan.* Names and configuration are checked, then every Swift name and every type is decided:
///    the result is a `GenerationPlan`.
/// 3. *Prune.* If configured, members that the given sources cannot name are left out.
/// 4. *Emit.* The plan is printed as `GeneratedFile`s. Nothing is decided in this stage.
///
/// The same input gives the same bytes, regardless of the order of the types in the schema. Nothing
/// is read from disk or written to it.
public struct GeneratorPipeline: Sendable {
  /// The options of the module.
  public let configuration: Configuration

  /// A pipeline for modules of one configuration.
  public init(configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  /// The result of a run.
  public struct Output: Sendable, Equatable {
    /// All files of the module. With a layout of fixed files, these are exactly
    /// `Configuration.expectedFileNames`, in that order.
    public var files: [GeneratedFile]
    /// Notes for the user: fields that were left out, for example. No errors.
    public var diagnostics: [Diagnostic]
    /// The kept and dropped elements; nil unless the module was pruned.
    public var pruning: PruningReport?
    /// The plan that the files print.
    package var plan: GenerationPlan

    /// The plan is not compared: the files are made from it alone.
    public static func == (lhs: Output, rhs: Output) -> Bool {
      lhs.files == rhs.files && lhs.diagnostics == rhs.diagnostics && lhs.pruning == rhs.pruning
    }
  }

  /// Selects, plans, prunes and emits.
  ///
  /// - Parameters:
  ///   - usage: the words of the sources that use the module; nil keeps everything.
  ///   - documents: the uses of the module by documents; they only matter together with `usage`.
  /// - Throws: All errors in the configuration or in names of the schema; then there is no output.
  public func run(
    _ schema: ServiceSchema, usage: SwiftIdentifiers? = nil, documents: DocumentUses? = nil
  ) throws(Diagnostics) -> Output {
    let (plan, report) = try plan(for: schema)
    guard let usage else {
      return Output(files: emit(plan), diagnostics: report.diagnostics, plan: plan)
    }
    let (pruned, pruning) = UsagePruner.prune(plan, to: usage, documents)
    return Output(
      files: emit(pruned), diagnostics: report.diagnostics, pruning: pruning, plan: pruned)
  }

  /// The first two stages.
  package func plan(_ schema: ServiceSchema) throws(Diagnostics) -> GenerationPlan {
    try plan(for: schema).plan
  }

  /// The last stage.
  package func emit(_ plan: GenerationPlan) -> [GeneratedFile] {
    Emitter(plan: plan).files
  }

  private func plan(
    for schema: ServiceSchema
  ) throws(Diagnostics) -> (plan: GenerationPlan, report: Report) {
    var (selected, report) = SchemaFilter.select(from: schema, configuration: configuration)
    report.append(NameCheck.check(selected))
    report.append(
      NameConflicts.check(selected, sources: schema.sources, configuration: configuration))
    if Overlaps.cost(of: selected) > Overlaps.highestCost {
      report.error(
        "TooManyOverlaps",
        "Too many interfaces and unions overlap, so that their type conditions need too much code.",
        suggestion: "Deny some of them.")
    }
    report.append(ConfigurationCheck.check(configuration, against: schema, selected: selected))
    try report.check()
    let plan = Planner.plan(selected, configuration: configuration)
    report.append(RenameCheck.check(plan, against: configuration))
    try report.check()
    return (plan, report)
  }
}

/// A file of the generated module. Nothing has been written to disk.
public struct GeneratedFile: Sendable, Equatable {
  /// The file's name, without a folder: letters, digits, underscores, hyphens and full stops.
  public let name: String
  /// The file's text as UTF-8, as it is written to disk.
  public let bytes: [UInt8]

  /// The file's text.
  public var contents: String { String(decoding: bytes, as: UTF8.self) }

  /// The first line of every generated file, which distinguishes a stale one from a user's own.
  public static var header: String { Generated.header }
}

/// Collects diagnostics.
struct Report {
  private(set) var diagnostics: [Diagnostic] = []

  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  mutating func error(
    _ code: String, _ message: String, at position: SourcePosition? = nil,
    suggestion: String? = nil, notes: [Diagnostic.Note] = []
  ) {
    diagnostics.append(
      Diagnostic(
        severity: .error, code: code, message: message, at: position, suggestion: suggestion,
        notes: notes))
  }

  /// Information for the user about a decision.
  mutating func note(_ code: String, _ message: String, at position: SourcePosition? = nil) {
    diagnostics.append(Diagnostic(severity: .note, code: code, message: message, at: position))
  }

  /// A likely mistake that prevents nothing.
  mutating func warning(
    _ code: String, _ message: String, at position: SourcePosition? = nil,
    suggestion: String? = nil
  ) {
    diagnostics.append(
      Diagnostic(
        severity: .warning, code: code, message: message, at: position, suggestion: suggestion))
  }

  mutating func append(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  mutating func append(_ other: Report) {
    diagnostics += other.diagnostics
  }

  /// Throws if there are errors.
  func check() throws(Diagnostics) {
    if hasErrors { throw Diagnostics(diagnostics) }
  }
}

extension Emitter {
  /// All files, in the order of the layout.
  var files: [GeneratedFile] {
    switch plan.layout {
    case .files(let count): fixedFiles(objectFiles: count)
    case .perType: filesPerType
    }
  }

  private var mainFile: GeneratedFile {
    var types = ReferencedTypes()
    types.insert(.named(RuntimeSymbols.schemaNamespace))
    for directive in plan.directives { types.insert(directive.arguments) }
    return file(FileNames.main(plan.namespace), types: types) { writer in
      namespace(&writer)
      guard plan.hasBuilders else { return }
      roots(&writer)
      directives(&writer)
    }
  }

  /// The files that `Configuration.expectedFileNames` lists.
  private func fixedFiles(objectFiles count: Int) -> [GeneratedFile] {
    let name = plan.namespace
    let objects = Balance.runs(
      of: plan.types(of: .object), count: count, weight: \.weight, name: \.schemaName)
    return [mainFile]
      + objects.enumerated().map { file(FileNames.objects(name, $0 + 1), of: $1) }
      + [
        file(FileNames.interfaces(name), of: plan.types(of: .interface)),
        file(FileNames.enums(name), of: plan.types(of: .enumeration)),
        file(FileNames.inputs(name), of: plan.types(of: .input)),
      ]
  }

  private var filesPerType: [GeneratedFile] {
    let types = TypePlan.Group.allCases.flatMap(plan.types).sorted { $0.schemaName < $1.schemaName }
    let names = FileNames.perType(plan.namespace, types: types.map(\.schemaName))
    return [mainFile] + zip(names, types).map { file($0, of: [$1]) }
  }

  /// A file of types; only the header if there are none.
  private func file(_ name: String, of types: [TypePlan]) -> GeneratedFile {
    file(
      name, isEmpty: types.isEmpty, types: ReferencedTypes(types, access: plan.access)
    ) { writer in
      namespaceExtension(&writer) { writer in
        for type in types { declarations(of: type, &writer) }
      }
      for case .composite(let type) in types where type.isAbstract {
        abstractAccessors(type, &writer)
      }
    }
  }

  private func declarations(of type: TypePlan, _ writer: inout SourceWriter) {
    switch type {
    case .composite(let type):
      if type.isAbstract { abstractType(type, &writer) }
      queryClass(type, &writer)
      responseClass(type, &writer)
    case .enumeration(let type): enumeration(type, &writer)
    case .inputObject(let type): inputObject(type, &writer)
    case .oneOf(let type): oneOf(type, &writer)
    }
  }
}

/// Distributes sorted elements over files.
enum Balance {
  /// Contiguous runs of about the same weight, exactly `count` of them; some may be empty.
  ///
  /// A run may end anywhere within an eighth of its share around the ideal position; the names of
  /// the elements there decide. So a small change, which moves the ideal positions slightly,
  /// usually leaves all runs unchanged, and few files change.
  static func runs<Element>(
    of elements: [Element], count: Int, weight: (Element) -> Int, name: (Element) -> String
  ) -> [[Element]] {
    var before = [0]
    for element in elements { before.append(before[before.count - 1] + weight(element)) }
    let total = before[elements.count]
    let tolerance = total / (count * 8)
    var runs: [[Element]] = []
    var start = 0
    for number in 1..<count {
      let ideal = total * number / count
      var end = start
      while end < elements.count, before[end] < ideal - tolerance { end += 1 }
      var best = end
      while end < elements.count, before[end] <= ideal + tolerance {
        if rank(name(elements[end])) < rank(name(elements[best])) { best = end }
        end += 1
      }
      runs.append(Array(elements[start..<best]))
      start = best
    }
    return runs + [Array(elements[start...])]
  }

  /// A number that depends only on a name (FNV-1a), unlike the standard hash.
  private static func rank(_ name: String) -> UInt64 {
    name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

/// A type of any kind, for the distribution over files. Indirect, as types are moved and large.
indirect enum TypePlan {
  case composite(CompositePlan)
  case enumeration(EnumPlan)
  case inputObject(InputObjectPlan)
  case oneOf(OneOfPlan)

  /// Types that share files.
  enum Group: CaseIterable {
    case object, interface, enumeration, input
  }

  var schemaName: String {
    switch self {
    case .composite(let type): type.schemaName
    case .enumeration(let type): type.schemaName
    case .inputObject(let type): type.schemaName
    case .oneOf(let type): type.schemaName
    }
  }

  /// The approximate time to compile it, which mainly depends on the number of functions.
  var weight: Int {
    guard case .composite(let type) = self else { return 1 }
    return type.fields.reduce(4) { $0 + ($1.aliasedReader == nil ? 2 : 3) + $1.arguments.count }
  }
}

extension GenerationPlan {
  /// The types of a group, sorted by name.
  func types(of group: TypePlan.Group) -> [TypePlan] {
    switch group {
    case .object: types { $0 == .object }
    case .interface: types { $0 != .object }
    case .enumeration: enums.map(TypePlan.enumeration)
    case .input:
      (inputs.map(TypePlan.inputObject) + oneOfs.map(TypePlan.oneOf))
        .sorted { $0.schemaName < $1.schemaName }
    }
  }

  private func types(where isIncluded: (CompositePlan.Kind) -> Bool) -> [TypePlan] {
    guard hasBuilders else { return [] }
    return composites.indices.compactMap { position in
      isIncluded(composites[position].kind) ? .composite(composites[position]) : nil
    }
  }
}

/// Names of the generated files.
enum FileNames {
  static func main(_ namespace: String) -> String { "\(namespace).swift" }
  static func objects(_ namespace: String, _ number: Int) -> String {
    "\(namespace).Objects\(number).swift"
  }
  static func interfaces(_ namespace: String) -> String { "\(namespace).Interfaces.swift" }
  static func enums(_ namespace: String) -> String { "\(namespace).Enums.swift" }
  static func inputs(_ namespace: String) -> String { "\(namespace).Inputs.swift" }

  /// A file name per type, in the order of the types. No two are equal on a file system that
  /// ignores case, and none exceeds the length limit of file systems.
  static func perType(_ namespace: String, types: [String]) -> [String] {
    // No name of a type contains a hyphen, so a numbered name cannot be another type's.
    var counts: [String: Int] = [:]
    return types.map { type in
      let stem = String(type.prefix(longestStem))
      let count = counts[stem.lowercased(), default: 0] + 1
      counts[stem.lowercased()] = count
      return "\(namespace).\(stem)\(count == 1 ? "" : "-\(count)").swift"
    }
  }

  private static let longestStem = 120
}

extension Configuration {
  /// The names of the files that are generated with this configuration, for any schema: a
  /// build-tool plugin declares them before the generator runs. nil for a file per type, where the
  /// names depend on the schema.
  public var expectedFileNames: [String]? {
    guard case .files(let count) = layout else { return nil }
    return [FileNames.main(namespace)]
      + (1...max(count, 1)).map { FileNames.objects(namespace, $0) }
      + [
        FileNames.interfaces(namespace), FileNames.enums(namespace), FileNames.inputs(namespace),
      ]
  }
}
