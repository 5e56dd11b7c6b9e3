import GraphQLCodeGen
import GraphQLSchema

/// A parsed, typed command line.
enum Command: Equatable {
  case initialize(InitOptions)
  case generate(GenerateOptions)
  case check(CheckOptions)
  case graphQLConfig(GraphQLConfigOptions)
  case validate(ValidateOptions)
  case print(PrintOptions)
  case diff(DiffOptions)
  case stats(StatsOptions)
  case completions(Shell)
  case downloadSchema(DownloadSchemaOptions)
  /// Help for a subcommand, or for the tool.
  case help(Subcommand?)
  case version
}

struct InitOptions: Equatable {
  /// The service whose schema is downloaded, and to which the program sends its query; nil if the
  /// schema is in files and the user writes the address into the program.
  var endpoint: Endpoint?
  /// Empty: the schema is downloaded.
  var schema: [String] = []
  var headers: [Header] = []
  /// nil: made from the folder or the host.
  var name: String?
  /// The package's folder.
  var output = "."
  /// nil: the checkout that contains the tool.
  var package: PackageLocation?
  var isDryRun = false
}

/// The location of the package Treeswift, on which the new package depends.
enum PackageLocation: Equatable {
  /// A folder, relative to the current one.
  case path(String)
  /// A Git repository.
  case url(String)
}

struct GenerateOptions: Equatable {
  enum Mode: Equatable {
    case write
    /// Lists differences and fails if there are any.
    case check
    /// Lists the changes without making them.
    case dryRun
  }

  /// Empty: the value in the configuration.
  var schema: [String] = []
  /// nil: searched next to the schema.
  var config: String?
  /// nil: the value in the configuration.
  var output: String?
  /// nil: the value in the configuration.
  var namespace: String?
  /// Empty: the names that follow from the configuration.
  var fileNames: [String] = []
  /// The files that the configuration named when a build was planned; nil outside of plugins. See
  /// `ConfigurationFile.checkPlan`.
  var planned: String?
  var mode = Mode.write
  var documents = DocumentOptions()
  /// Whether only documents are generated, and not the types of the schema.
  var isDocumentsOnly = false
  /// The name of the generated module; nil if it is not known.
  var module: String?
  /// The module with the types of the schema; nil if it is that of the documents.
  var schemaModule: String?
  /// The documents that their configuration named when a build was planned; nil outside of plugins.
  var plannedDocuments: String?
  /// nil: the value in the configuration, or none.
  var manifest: String?
  var manifestFormat: OperationOptions.ManifestFormat?
  /// Whether to list the elements that pruning left out.
  var listsDropped = false
  var isQuiet = false
  /// Which violations of the specification are errors.
  var rules = SchemaRules.client
}

/// Executable documents, and where the fragments and options for them are.
struct DocumentOptions: Equatable {
  /// Files and folders; empty: the value in the configuration.
  var paths: [String] = []
  /// Documents of other modules.
  var imported: [ImportedDocument] = []
  /// The configurations of these modules, if they are in the same package.
  var importedConfigs: [ImportedDocument] = []
  /// The configurations of those in other packages.
  var otherPackageConfigs: [ImportedDocument] = []
  /// The configuration of the documents; nil: that of the schema.
  var config: String?
  /// Whether other modules may use the fragments.
  var exportsFragments = false
  /// Folders with Swift sources that may use what the documents select.
  var sources: [String] = []
}

/// A document of another module, `ShopUI=Card.graphql`, or `ShopUI.Shop=Card.graphql` if the types of the
/// other module are in the enum `Shop`.
struct ImportedDocument: Equatable {
  let module: String
  /// nil: at the top level.
  let namespace: String?
  let path: String
  /// That of the module's types, from its configuration.
  var access = Configuration.AccessLevel.public

  /// nil if the text has another form.
  init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    let names = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.count <= 2, names.allSatisfy(Identifier.isModule) else { return nil }
    module = names[0]
    namespace = names.count == 2 ? names[1] : nil
    path = parts[1]
  }
}

struct CheckOptions: Equatable {
  /// Empty: the value in the configuration.
  var schema: [String] = []
  /// nil: searched next to the schema.
  var config: String?
  var documents = DocumentOptions()
  var prints = false
  /// A manifest to check instead of documents.
  var manifest: String?
  var rules = SchemaRules.client
}

struct GraphQLConfigOptions: Equatable {
  /// Empty: the value in the configuration.
  var schema: [String] = []
  /// nil: searched next to the schema.
  var config: String?
  /// Files and folders; empty: those of the configuration and its folder.
  var documents: [String] = []
  /// nil: `graphql.config.yml`.
  var output: String?
}

struct ValidateOptions: Equatable {
  var schema: [String] = []
  /// nil: searched next to the schema.
  var config: String?
  /// Which violations of the specification are errors.
  var rules = SchemaRules.client
}

struct PrintOptions: Equatable {
  enum Form: Equatable {
    case sdl, introspection
  }

  var schema: [String] = []
  /// nil: searched next to the schema.
  var config: String?
  var rules = SchemaRules.client
  var form = Form.sdl
  /// nil: standard output.
  var output: String?
}

struct DiffOptions: Equatable {
  var old = ""
  var new = ""
  /// Files that are part of both schemas.
  var definitions: [String] = []
  var rules = SchemaRules.client
  /// nil: searched next to both schemas; the names in Swift are those of the older one.
  var config: String?
  /// Files and folders with operations and fragments.
  var documents: [String] = []
  /// Folders of Swift sources; empty: uses are not searched.
  var sources: [String] = []
  var printsJSON = false
}

struct StatsOptions: Equatable {
  var schema: [String] = []
  var rules = SchemaRules.client
  /// nil: searched next to the schema.
  var config: String?
  var printsJSON = false
}

struct DownloadSchemaOptions: Equatable {
  var endpoint: Endpoint
  var headers: [Header] = []
  /// nil: standard output.
  var output: String?
}

/// An invalid command line.
struct UsageError: Error, Equatable, CustomStringConvertible {
  var message: String
  /// A suggestion.
  var suggestion: String?
  /// The subcommand with the relevant help.
  var subcommand: Subcommand?

  var description: String {
    let help = ["graphql-generator", subcommand?.rawValue, "--help"].compactMap(\.self)
    return """
      error: \(message)\(suggestion.map { " \($0)" } ?? "")
      See `\(help.joined(separator: " "))`.
      """
  }
}
