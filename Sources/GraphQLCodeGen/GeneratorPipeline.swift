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
