/// An option of a subcommand, written `--name`.
enum Option: String, CaseIterable {
  case schema, config, output, namespace, check, quiet, sdl, introspection, sources, json, endpoint,
    header, name, planned, strict, documents, imported, manifest, module, print, definitions, help
  case dryRun = "dry-run"
  case allowUndefinedTypes = "allow-undefined"
  case fileNames = "file-names"
  case listDropped = "list-dropped"
  case packagePath = "package-path"
  case packageURL = "package-url"
  case documentsOnly = "documents-only"
  case documentConfig = "document-config"
  case importedConfig = "imported-config"
  case otherPackageConfig = "other-package-config"
  case plannedDocuments = "planned-documents"
  case schemaModule = "schema-module"
  case manifestFormat = "manifest-format"
  case exportedFragments = "exported-fragments"

  /// The number of values after the option.
  enum Arity {
    case none, one
    /// One, and the option may be given several times.
    case repeated
    /// At least one.
    case several
  }

  var arity: Arity {
    switch self {
    case .schema, .fileNames, .documents, .definitions: .several
    case .config, .output, .namespace, .endpoint, .name, .packagePath, .packageURL, .planned,
      .documentConfig, .plannedDocuments, .module, .schemaModule, .manifest, .manifestFormat:
      .one
    case .sources, .header, .imported, .importedConfig, .otherPackageConfig: .repeated
    case .listDropped, .check, .dryRun, .quiet, .sdl, .introspection, .json, .strict,
      .allowUndefinedTypes, .documentsOnly, .exportedFragments, .print, .help:
      .none
    }
  }

  /// The option in its written form.
  var spelling: String { "--\(rawValue)" }

  /// The placeholder for the values in help.
  var placeholder: String? {
    switch self {
    case .schema, .definitions: "FILE…"
    case .config, .documentConfig, .manifest: "FILE"
    case .output: "PATH"
    case .documents: "PATH…"
    case .imported, .importedConfig, .otherPackageConfig: "MODULE=FILE"
    case .namespace, .name, .module, .schemaModule: "NAME"
    case .manifestFormat: "FORMAT"
    case .fileNames: "NAME…"
    case .sources, .packagePath: "DIR"
    case .endpoint, .packageURL: "URL"
    case .planned, .plannedDocuments: "TEXT"
    case .header: "'NAME: VALUE'"
    default: nil
    }
  }

  /// One line for help.
  var explanation: String {
    switch self {
    case .schema: "Files of the schema: SDL, or an introspection result (JSON)."
    case .config:
      "The configuration; by default graphql-generator.json next to the schema, if it exists."
    case .output:
      "The output: a folder for init (.) and generate (Generated), a file for others."
    case .namespace: "The Swift enum around all generated types, instead of the configured one."
    case .check:
      "Write nothing; list the files that are out of date, and exit with 1 if there are any."
    case .dryRun: "Write nothing; list the changes that would be made."
    case .quiet: "Print only warnings and errors."
    case .fileNames:
      "Names for the files, instead of names made from the namespace; for plugins."
    case .planned:
      "The schemas and usage folders that the configuration must name; for plugins."
    case .listDropped: "With pruning, list every type and field that is left out."
    case .sdl: "Print the schema definition language (the default)."
    case .introspection: "Print an introspection result (JSON)."
    case .sources: "A folder of Swift sources to search for uses; may be given several times."
    case .endpoint: "The address of the service, http or https."
    case .header: "A header for the request, such as a token; may be given several times."
    case .name: "The name of the package and its program; its module of the schema is NAMEAPI."
    case .packagePath: "The folder of Treeswift, instead of the checkout that contains this tool."
    case .packageURL: "The Git repository of Treeswift, instead of a folder."
    case .json: "Print JSON, for programs."
    case .allowUndefinedTypes:
      "An extension of a type that is not defined defines it: for a subgraph of a federation."
    case .strict:
      "Every violation of the specification is an error, also if it concerns only the service."
    case .documents:
      "Files with operations and fragments, or folders in which all of them are used."
    case .imported:
      "A document of another module, whose fragments may be used; may be given several times."
    case .importedConfig:
      "The configuration of such a module, whose fragments are not used if it has internal types."
    case .otherPackageConfig:
      "The same for a module of another package, whose types also must not have the access package."
    case .documentsOnly: "Generate only documents, not the types of the schema."
    case .module: "The module that is generated, whose name some types cannot have; for plugins."
    case .schemaModule: "The module with the types of the schema; implies --documents-only."
    case .documentConfig:
      "The configuration of the documents, if it is not that of the schema."
    case .plannedDocuments:
      "The documents that their configuration must name; for plugins."
    case .definitions:
      "Files of definitions that are part of both schemas, such as those of @defer and @stream."
    case .manifest: "The manifest of all operations (trusted documents)."
    case .manifestFormat: "The format of the manifest: apollo (the default) or relay."
    case .exportedFragments:
      "Fragments may be for other modules, so unused ones are not reported."
    case .print: "Print each operation as it will be sent, with its hash."
    case .help: "Show this help."
    }
  }
}
