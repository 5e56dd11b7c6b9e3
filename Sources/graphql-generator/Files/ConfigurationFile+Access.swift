import GraphQLCodeGen
import GraphQLSchema

extension ConfigurationFile {
  /// nil if the file has no `access`.
  var accessPosition: SourcePosition? {
    source.flatMap { Configuration.position(ofKey: "access", of: $0) }
  }

  /// The access of the types of documents with this configuration.
  ///
  /// - Parameter schemaAccess: that of the schema's types, which they have without an `access` here.
  func documentAccess(
    schemaAccess: Configuration.AccessLevel
  ) -> Configuration.AccessLevel {
    accessPosition == nil ? schemaAccess : configuration.access
  }

  /// Throws if the documents of another module cannot name the types of the schema.
  func checkAccessOfOtherModules() throws(Diagnostics) {
    guard configuration.access == .internal else { return }
    throw Diagnostics([
      Diagnostic(
        code: "access",
        message:
          "The types of the schema are internal, so the documents of another module cannot name them.",
        at: accessPosition,
        suggestion: #"Set "access" to "public", or to "package" for modules of the same package."#)
    ])
  }
}

extension Configuration.AccessLevel {
  func isWider(than other: Self) -> Bool {
    switch (self, other) {
    case (.public, .package), (.public, .internal), (.package, .internal): true
    default: false
    }
  }
}
