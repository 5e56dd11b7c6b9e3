/// `operations`: how the documents of a module are generated.
///
/// ```json
/// { "operations": { "namespace": "Shop", "manifest": "apollo" } }
/// ```
public struct OperationOptions: Sendable, Equatable {
  /// `namespace`: the Swift enum that contains the types of operations and fragments. Without it, they
  /// are at the top level of the module.
  public var namespace: Located<String>?
  /// `documents`: files, and folders of files, relative to the configuration; only the tool and the
  /// plugins read it. The plugins add the documents in the target's folder.
  public var documents: [String]
  /// `schemaModule`: the module with the schema, for a target that depends on several; only the
  /// plugins use it.
  public var schemaModule: String?
  /// `manifest`: writes a manifest of all operations next to the generated files; only the tool reads
  /// it.
  public var manifest: ManifestFormat?

  /// Options with the given values, and defaults for the others.
  public init(
    namespace: Located<String>? = nil, documents: [String] = [], schemaModule: String? = nil,
    manifest: ManifestFormat? = nil
  ) {
    self.namespace = namespace
    self.documents = documents
    self.schemaModule = schemaModule
    self.manifest = manifest
  }

  /// The formats of manifests of trusted documents.
  public enum ManifestFormat: String, Sendable, CaseIterable {
    /// `apollo-persisted-query-manifest`, version 1: a list of operations with `id`, `name`, `type` and
    /// `body`.
    case apollo
    /// Relay's: an object with the text of each operation by its hash.
    case relay
  }
}
