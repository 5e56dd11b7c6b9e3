import GraphQLCodeGen
import GraphQLSchema

/// Options of several subcommands whose values are more than texts.
extension OptionValues {
  var rules: SchemaRules {
    var rules = has(.strict) ? SchemaRules.specification : .client
    rules.allowsUndefinedTypes = has(.allowUndefinedTypes)
    return rules
  }

  func documents() throws(UsageError) -> DocumentOptions {
    DocumentOptions(
      paths: all(.documents), imported: try imported(.imported),
      importedConfigs: try imported(.importedConfig),
      otherPackageConfigs: try imported(.otherPackageConfig), config: first(.documentConfig),
      exportsFragments: has(.exportedFragments), sources: all(.sources))
  }

  private func imported(_ option: Option) throws(UsageError) -> [ImportedDocument] {
    var imported: [ImportedDocument] = []
    for text in all(option) {
      guard let document = ImportedDocument(text) else {
        throw UsageError(
          message: "\(option.spelling): \(quoted(text)) is not of the form MODULE=FILE.",
          subcommand: subcommand)
      }
      imported.append(document)
    }
    return imported
  }

  /// nil if the option is not given.
  func manifestFormat() throws(UsageError) -> OperationOptions.ManifestFormat? {
    guard let text = first(.manifestFormat) else { return nil }
    if let format = OperationOptions.ManifestFormat(rawValue: text) { return format }
    let names = OperationOptions.ManifestFormat.allCases.map(\.rawValue)
    throw UsageError(
      message: "--manifest-format: the formats are \(names.joined(separator: " and ")).",
      suggestion: didYouMean(text, among: names), subcommand: subcommand)
  }

  /// nil if the option is not given.
  func endpoint() throws(UsageError) -> Endpoint? {
    guard let address = first(.endpoint) else { return nil }
    if let endpoint = Endpoint(address) { return endpoint }
    guard ["http://", "https://"].contains(where: { address.lowercased().hasPrefix($0) }) else {
      throw UsageError(
        message: "The endpoint is not an http or https URL.",
        suggestion: "Begin it with https:// or http://.", subcommand: subcommand)
    }
    throw UsageError(
      message: "The endpoint is not an http or https URL without user and password.",
      suggestion: "Specify credentials with --header.", subcommand: subcommand)
  }

  func headers() throws(UsageError) -> [Header] {
    var headers: [Header] = []
    for text in all(.header) {
      guard let header = Header(text) else {
        throw UsageError(
          message:
            "A header must have the form 'Name: value', on one line and without control characters.",
          subcommand: subcommand)
      }
      headers.append(header)
    }
    return headers
  }

  /// nil if the option is not given.
  func moduleName() throws(UsageError) -> String? {
    guard let name = first(.name) else { return nil }
    guard let problem = ModuleName.problem(with: name) else { return name }
    throw UsageError(message: "--name: \(problem)", subcommand: subcommand)
  }

  /// nil if neither of its options is given.
  func packageLocation() throws(UsageError) -> PackageLocation? {
    if let path = first(.packagePath) { return .path(path) }
    guard let url = first(.packageURL) else { return nil }
    if url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) { return .url(url) }
    throw UsageError(
      message: "--package-url: A URL cannot contain spaces or control characters.",
      subcommand: subcommand)
  }
}
