public import GraphQLSchema

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
    /// All documents of the module.
    public var documents: [Source]

    /// Creates a module.
    public init(name: String, namespace: String? = nil, documents: [Source]) {
      self.name = name
      self.namespace = namespace
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
    []
  }

  /// Reads, prepares, plans and emits.
  ///
  /// - Parameters:
  ///   - schema: The whole schema.
  ///   - documents: The module's documents. No two sources have the same name.
  ///   - imported: Modules on which this one depends and that have documents for the same schema.
  ///   - schemaModule: The module with the types of the schema; nil if it is this one.
  public func run(
    _ schema: ServiceSchema, documents: [Source], imported: [Module] = [],
    schemaModule: String? = nil
  ) -> Output {
    Output(files: [], diagnostics: [], operations: [])
  }
}
