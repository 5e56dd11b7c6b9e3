#if !ONE_MODULE
  import GraphJSON
  public import GraphQLSchema
#endif

/// From executable documents to the files of a Swift module: a type for each operation and fragment,
/// with exactly what it selects.
///
/// 1. *Read.* The documents are parsed and validated together (chapter 5 of the specification), with
///    the fragments that they use of other modules.
/// 2. *Prepare.* Directives of clients are removed; `__typename` and keys are added. The result is
///    the text that is sent.
/// 3. *Plan.* Each struct, its slots and its Swift names are decided.
/// 4. *Emit.* Each document becomes one `GeneratedFile`.
///
/// Nothing is generated from a document with errors; other documents are not affected, unless they
/// use its fragments. Nothing is read from disk or written to it.
public struct OperationsPipeline: Sendable {
  /// The options of the module; its `namespace` is that of the types of the schema.
  public let configuration: Configuration

  /// A pipeline for modules of one configuration.
  public init(configuration: Configuration) {
    self.configuration = configuration
  }

  /// A module with documents whose fragments can be used.
  public struct Module: Sendable {
    /// The module's name, with which generated code imports it.
    public var name: String
    /// The enum that contains the module's operations and fragments; nil if they are at its top level.
    public var namespace: String?
    /// The access of their types.
    public var access: Configuration.AccessLevel
    /// All documents of the module.
    public var documents: [Source]

    /// Creates a module.
    public init(
      name: String, namespace: String? = nil, access: Configuration.AccessLevel = .public,
      documents: [Source]
    ) {
      self.name = name
      self.namespace = namespace
      self.access = access
      self.documents = documents
    }
  }

  /// The result of a run.
  public struct Output: Sendable, Equatable {
    /// A file for each document without errors, in the order of the documents; before them, the file
    /// with the namespace, if the configuration has one. Their names are those of
    /// ``OperationsPipeline/fileNames(for:)``.
    public var files: [GeneratedFile]
    /// All findings. If one of them is an error, at least one document has no file.
    public var diagnostics: [Diagnostic]
    /// The operations of the documents without errors, in the order of the documents.
    public var operations: [PrintedOperation]
  }

  /// The names of the files that are generated from documents, if no document has errors: a
  /// build-tool plugin declares them before the generator runs.
  ///
  /// The file of `Shop/Cart.graphql` is `Cart.graphql.swift`. If another document before it has the
  /// same name (regardless of case) in another folder, it is `Cart-2.graphql.swift`. With a
  /// namespace, the first name is that of its file, `<Namespace>.operations.swift`.
  ///
  /// - Parameter documents: The names of the sources, in the order in which they are given to `run`.
  public func fileNames(for documents: [String]) -> [String] {
    let namespace = configuration.operations.namespace?.value
    return (namespace.map { [DocumentFileNames.name(forNamespace: $0)] } ?? [])
      + DocumentFileNames.names(for: documents)
  }

  /// Reads, prepares, plans and emits.
  ///
  /// - Parameters:
  ///   - schema: The whole schema.
  ///   - documents: The module's documents. No two sources have the same name.
  ///   - imported: Modules on which this one depends and that have documents for the same schema.
  ///   - module: The module's name; nil if it is not known. Some types cannot have it.
  ///   - schemaModule: The module with the types of the schema; nil if it is this one, or is not known.
  ///   - containsSchema: Whether this module has the types of the schema, if `schemaModule` is nil. Then the types of
  ///     documents hide no type that the code of the schema names.
  ///   - exportsFragments: Whether other modules may use the fragments. Unused ones are not reported then.
  ///   - isNamed: Whether Swift sources of the module name a type. A fragment whose type they name is used.
  public func run(
    _ schema: ServiceSchema, documents: [Source], imported: [Module] = [], module: String? = nil,
    schemaModule: String? = nil, containsSchema: Bool = true, exportsFragments: Bool = false,
    isNamed: @escaping (String) -> Bool = { _ in false }
  ) -> Output {
    var program = ProgramDocuments.read(
      documents, imported: imported, schema: schema, configuration: configuration)
    let modules = imported.map(\.name) + [schemaModule].compactMap(\.self)
    let selection = selection(of: schema)
    let scalars = ScalarNames(
      configuration, schema: containsSchema && schemaModule == nil ? selection.names : nil)
    let namespaces = NamespaceCheck.check(
      configuration, module: module, modules: modules, scalars: scalars)
    program.add(namespaces)
    // Others could not name the types of a module in which a type hides the module.
    let isHidden = exportsFragments && configuration.operations.namespace == nil
    checkNames(
      of: &program, modules: modules + [isHidden ? module : nil].compactMap(\.self),
      scalars)
    CaughtErrors.check(&program, schema)
    let (completed, input) = prepare(
      &program, schema: schema, selection, schemaModule: schemaModule)
    let generated = generate(completed.documents, of: &program, with: input)
    program.lint(
      schema,
      reports: Set(DocumentLinter.Rule.allCases).subtracting(
        exportsFragments ? [.unusedFragments] : []), isNamed: isNamed)
    let namespace = namespaces.hasErrors ? nil : configuration.operations.namespace?.value
    let namespaceFile = namespace.map {
      DocumentEmitter(configuration: configuration)
        .namespaceFile($0, name: DocumentFileNames.name(forNamespace: $0))
    }
    return Output(
      files: [namespaceFile].compactMap(\.self) + generated.map(\.file),
      diagnostics: program.diagnostics, operations: generated.flatMap(\.operations))
  }

  /// The part of the schema that is generated, and the names of its types.
  typealias Selection = (schema: SelectedSchema, names: TypeNames)

  func selection(of schema: ServiceSchema) -> Selection {
    let selected = SchemaFilter.select(from: schema, configuration: configuration).schema
    return (selected, TypeNames(schema: selected, configuration: configuration))
  }

  /// The second stage.
  func prepare(
    _ program: inout ProgramDocuments, schema: ServiceSchema, _ selection: Selection,
    schemaModule: String?
  ) -> (Completed, ProgramPlanner.Input) {
    let completed = complete(&program, schema: schema, selected: selection.schema)
    return (
      completed,
      ProgramPlanner.Input(
        schema: schema, selected: selection.schema, names: selection.names,
        configuration: configuration, fragments: completed.fragments, modules: program.modules,
        schemaModule: schemaModule)
    )
  }

  private func checkNames(
    of program: inout ProgramDocuments, modules: [String], _ scalars: ScalarNames
  ) {
    var names = DefinitionNames(
      configuration: configuration, modules: modules, scalars: scalars)
    names.checkScalars(configuration.scalars)
    names.checkModules(of: program)
    for definition in program.documents.flatMap(\.definitions) {
      names.check(definition, in: program)
    }
    program.add(names.report)
  }

  /// The definitions of the documents as they are sent.
  struct Completed {
    /// For each document; empty for faulty ones.
    var documents: [[Document.Definition]]
    var fragments = CompletedFragments()
  }

  private func complete(
    _ program: inout ProgramDocuments, schema: ServiceSchema, selected: SelectedSchema
  ) -> Completed {
    var completion = DocumentCompletion(
      schema: schema, selected: selected,
      isWhole: configuration.allow.isEmpty && configuration.deny.isEmpty,
      configuration: configuration, program: program)
    let parts = Concurrency.map(
      program.documents, partsOf: Concurrency.documentsPerPart
    ) { [completion] documents in
      var completion = completion
      let completed = documents.map { completion.complete($0) }
      return (documents: completed, completion: completion)
    }
    var result = Completed(documents: parts.flatMap(\.documents))
    for part in parts { completion.add(part.completion) }
    for case .fragment(let fragment) in result.documents.joined() { result.fragments.add(fragment) }
    let own = completion.report
    for name in program.modules.keys.sorted() {
      guard let fragment = program.fragments[name], !program.isFaulty(fragment.range) else {
        continue
      }
      result.fragments.add(completion.complete(fragment))
    }
    // Notes and warnings about imported documents are those of their module.
    program.add(own)
    for diagnostic in completion.report.diagnostics[own.diagnostics.count...]
    where diagnostic.severity == .error {
      program.add(diagnostic)
    }
    if !completion.suspects.isEmpty, !completion.extended.isEmpty {
      program.add(keyConflicts(of: result, completion, in: program, schema: schema))
    }
    program.spreadFaults()
    for index in result.documents.indices where program.isFaulty(sourceAt: index) {
      result.documents[index] = []
    }
    return result
  }

  /// Errors for definitions in which an added key has the name of another field: the service would reject
  /// them.
  ///
  /// - Parameter completion: knows the operations and fragments with a field for which that is possible, and those
  ///   to which keys are added.
  private func keyConflicts(
    of completed: Completed, _ completion: DocumentCompletion, in program: ProgramDocuments,
    schema: ServiceSchema
  ) -> Report {
    var report = Report()
    let hasSuspectFragment = completion.suspects.contains(where: \.isFragment)
    let hasExtendedFragment = completion.extended.contains(where: \.isFragment)
    for definition in completed.documents.joined() {
      let (fragment, range, own): (String?, SourceRange, DocumentCompletion.Definition)
      switch definition {
      case .operation(let operation):
        (fragment, range, own) = (nil, operation.nameRange, .operation(operation.name))
      case .fragment(let definition):
        (fragment, range, own) = (
          definition.name, definition.nameRange, .fragment(definition.name)
        )
      default: continue
      }
      // Most definitions are left out here, without a list of the fragments that they reach.
      guard hasSuspectFragment || completion.suspects.contains(own),
        hasExtendedFragment || completion.extended.contains(own),
        let selections = definition.selectionSet
      else { continue }
      let names = completed.fragments.reached(from: selections, of: fragment)
      let parts = [own] + names.map { .fragment($0) }
      guard parts.contains(where: completion.suspects.contains),
        parts.contains(where: completion.extended.contains)
      else { continue }
      let fragments = names.compactMap { completed.fragments.definitions[$0] }
      let document = Document(definitions: [definition] + fragments.map { .fragment($0) })
      guard let conflict = document.mergingConflicts(against: schema).first else { continue }
      report.error(
        "KeyConflict",
        "A key that is added to what is sent cannot be merged with a field of another alias or type: \(conflict.message)",
        at: program.position(of: range),
        suggestion: "Choose another alias for the field that has the name of the key.")
    }
    return report
  }

  /// The results for a document.
  private typealias Generated = (file: GeneratedFile, operations: [PrintedOperation])

  /// The third and the fourth stage. A document needs only what the first two stages found, so several are generated at
  /// the same time.
  private func generate(
    _ documents: [[Document.Definition]], of program: inout ProgramDocuments,
    with input: ProgramPlanner.Input
  ) -> [Generated] {
    let fileNames = DocumentFileNames.names(
      for: program.sources[..<program.documents.count].map(\.name))
    let indices = documents.indices.filter { !program.isFaulty(sourceAt: $0) }
    let parts = Concurrency.map(indices, partsOf: Concurrency.documentsPerPart) {
      [program] indices in
      let planner = ProgramPlanner(input)
      let emitter = DocumentEmitter(configuration: configuration)
      let common = imports(of: [], planner, input.schemaModule)
      let areSame = !planner.usesOtherModules
      return indices.map { index in
        var report = Report()
        var planned = plan(
          documents[index], named: fileNames[index], of: program, with: planner, &report)
        let modules = areSame ? common : imports(of: documents[index], planner, input.schemaModule)
        let visible = visible(modules, in: planned?.plan, planner, input.schemaModule)
        planned?.plan.imports = modules
        planned?.plan.visibleImports = visible
        return (
          generated: planned.map { (emitter.file($0.plan), $0.operations) }, report: report
        )
      }
    }
    for result in parts.joined() { program.add(result.report) }
    return parts.joined().compactMap(\.generated)
  }

  /// The modules that the code of a document needs, sorted.
  private func imports(
    of definitions: [Document.Definition], _ planner: ProgramPlanner, _ schemaModule: String?
  ) -> [String] {
    var modules =
      [RuntimeSymbols.module] + [schemaModule].compactMap(\.self)
      + planner.types.typesImportedByDocuments.values
    let spreads = definitions.flatMap { $0.selectionSet?.spreads ?? [] }.map(\.name)
    modules += planner.modules(of: spreads)
    return Set(modules).sorted()
  }

  /// The imports of modules with types that the declarations of a document name.
  private func visible(
    _ imports: [String], in plan: DocumentPlan?, _ planner: ProgramPlanner, _ schemaModule: String?
  ) -> Set<String> {
    var modules: Set = [RuntimeSymbols.module]
    guard let plan, imports.count > 1, configuration.access != .internal else { return modules }
    let types = ReferencedTypes(plan.definitions)
    if types.hasGenerated, let schemaModule { modules.insert(schemaModule) }
    for type in types.spelled {
      if let module = planner.types.typesImportedByDocuments[type] { modules.insert(module) }
      // A fragment of another module, with that module.
      let first = String(type.prefix { $0 != "." })
      if first.count < type.count, imports.contains(first) { modules.insert(first) }
    }
    return modules
  }

  /// - Returns: nil if a definition needs too many structs, which is reported.
  private func plan(
    _ definitions: [Document.Definition], named fileName: String, of program: ProgramDocuments,
    with planner: ProgramPlanner, _ report: inout Report
  ) -> (plan: DocumentPlan, operations: [PrintedOperation])? {
    var plan = DocumentPlan(fileName: fileName, definitions: [])
    var operations: [PrintedOperation] = []
    var isComplete = true
    for definition in definitions {
      do {
        switch definition {
        case .operation(let operation):
          guard
            let planned = try planner.plan(
              operation, clientDirectives: program.clientDirectives)
          else { continue }
          plan.definitions.append(.operation(planned))
          operations.append(
            PrintedOperation(
              name: planned.text.name, kind: operation.operationType, text: planned.text.text,
              hash: planned.text.hash, position: program.position(of: operation.nameRange)))
        case .fragment(let fragment):
          guard let planned = try planner.plan(fragment) else { continue }
          plan.definitions.append(.fragment(planned))
        default: continue
        }
      } catch {
        report.error(
          "TooManyStructs",
          "This definition, or a fragment that it uses, needs more than \(ViewBuilder.mostViews) Swift structs.",
          at: program.position(of: definition.range),
          suggestion: "Select fewer objects, or use fewer type conditions within each other.")
        isComplete = false
      }
    }
    return isComplete ? (plan, operations) : nil
  }
}

/// An operation as it is sent to the service: for manifests of trusted documents.
public struct PrintedOperation: Sendable, Equatable {
  /// The operation's name.
  public var name: String
  /// Whether it is a query, a mutation or a subscription.
  public var kind: OperationType
  /// The document that is sent: the operation, then the fragments that it uses, without insignificant
  /// white space.
  public var text: String
  /// The SHA-256 hash of the text's UTF-8, in lower-case hexadecimal digits.
  public var hash: String
  /// The position of the operation's name.
  public var position: SourcePosition?
}

/// Checks the enum around operations and fragments. It must not hide anything that the code of the module,
/// or of modules that use it, names.
enum NamespaceCheck {
  /// Types that the code of the schema mentions, which may be in the same module.
  private static let mentionedTypes: WordSet = ["StaticString", "Void"]

  /// - Parameters:
  ///   - module: The module of the documents; nil if it is not known.
  ///   - modules: The modules that it uses, without those of scalars.
  static func check(
    _ configuration: Configuration, module: String?, modules: [String], scalars: ScalarNames
  ) -> Report {
    var report = Report()
    guard let namespace = configuration.operations.namespace else { return report }
    let name = namespace.value
    if !Configuration.isNamespace(name) {
      report.error(
        "InvalidNamespace", "The namespace \(quoted(name)) cannot be the name of a Swift enum.",
        at: namespace.position)
    } else if DefinitionNames.standardTypes.contains(name) || mentionedTypes.contains(name) {
      report.error(
        "InvalidNamespace",
        "The namespace of the operations cannot be called \(quoted(name)): generated code needs the name.",
        at: namespace.position)
    } else if scalars.contains(name) {
      report.error(
        "InvalidNamespace",
        "The namespace of the operations cannot be called \(quoted(name)): \(DefinitionNames.isOfScalar).",
        at: namespace.position, suggestion: "Set another `namespace` in `operations`.")
    } else if name == configuration.namespace {
      report.error(
        "SameNamespace",
        "The operations need another namespace than the types of the schema, \(quoted(name)).",
        at: namespace.position)
    } else if name == module || modules.contains(name) {
      let owner = name == module ? "this module" : "a module that this one uses"
      report.error(
        "NamespaceOfModule",
        "The operations need another namespace than \(quoted(name)), which is the name of \(owner).",
        at: namespace.position,
        suggestion: name == module
          ? "An enum of this name hides the module, so other modules cannot name the types in it."
          : "An enum of this name hides that module, so generated code cannot name its types.")
    }
    return report
  }
}

/// The text of an operation or fragment as it is sent: it, then the fragments that it reaches in the
/// order of their first use (depth first).
struct SentDocument {
  let text: String
  /// The fragments after the first definition, by name.
  let fragments: [String]

  /// The SHA-256 hash of the text in lower-case hexadecimal digits.
  var hash: String { SHA256.hexDigest(text) }
}

/// The completed fragments of a program, and the texts of what uses them.
struct CompletedFragments {
  private(set) var definitions: [String: FragmentDefinition] = [:]
  private var texts: [String: [UInt8]] = [:]
  private var uses: [String: [String]] = [:]

  mutating func add(_ fragment: FragmentDefinition) {
    definitions[fragment.name] = fragment
    texts[fragment.name] = fragment.compact
    uses[fragment.name] = fragment.selectionSet.spreads.map(\.name)
  }

  /// With the fragments that were added to those of other modules.
  func withAdded(_ keys: @autoclosure () -> TypeKeys) -> CompletedFragments {
    let spreads = definitions.values.flatMap(\.selectionSet.spreads)
    let missing = spreads.filter { !$0.range.isKnown && definitions[$0.name] == nil }
    if missing.isEmpty { return self }
    var all = self
    for fragment in keys().fragments(addedBy: missing) { all.add(fragment.definition) }
    return all
  }

  /// The document of an operation.
  ///
  /// - Parameter spreads: The fragments that it spreads.
  func sent(_ operation: OperationDefinition, spreads: [String]) -> SentDocument {
    sent(operation.compact, spreads, first: nil)
  }

  /// The document of a fragment.
  func sent(fragment name: String) -> SentDocument {
    sent(texts[name] ?? [], uses[name] ?? [], first: name)
  }

  private func sent(_ text: [UInt8], _ names: [String], first: String?) -> SentDocument {
    var text = text
    let order = reached(from: names, first: first)
    for name in order { text += texts[name] ?? [] }
    return SentDocument(text: String(decoding: text, as: UTF8.self), fragments: order)
  }

  /// The fragments that the selections reach, in the order of their first use.
  ///
  /// - Parameter fragment: that of the selections, which is left out.
  func reached(from set: Document.SelectionSet, of fragment: String? = nil) -> [String] {
    reached(from: set.spreads.map(\.name), first: fragment)
  }

  private func reached(from names: [String], first: String?) -> [String] {
    if names.isEmpty { return [] }
    var visited = Set(first.map { [$0] } ?? [])
    var order: [String] = []
    var pending = Array(names.reversed())
    while let name = pending.popLast() {
      guard visited.insert(name).inserted else { continue }
      order.append(name)
      pending += (uses[name] ?? []).reversed()
    }
    return order
  }
}

extension OperationsPipeline {
  /// Documents with the type names and keys that are added to what is sent, and with the fragments for keys.
  ///
  /// - Parameter documents: without client directives. They may have errors.
  package func sent(_ documents: [Document], of schema: ServiceSchema) -> [Document] {
    let selected = SchemaFilter.select(from: schema, configuration: configuration).schema
    var completion = DocumentCompletion(
      schema: schema, selected: selected, isWhole: true, configuration: configuration,
      program: ProgramDocuments(sources: [], documents: documents))
    var completed = documents.map { document in
      var document = document
      document.definitions = document.definitions.map { completion.complete($0) }
      return document
    }
    guard let last = completed.indices.last else { return [] }
    let spreads = completed.flatMap(\.definitions).flatMap { $0.selectionSet?.spreads ?? [] }
    let added = TypeKeys(schema: selected, configuration: configuration).fragments(
      addedBy: spreads)
    completed[last].definitions += added.map { .fragment($0.definition) }
    return completed
  }
}
