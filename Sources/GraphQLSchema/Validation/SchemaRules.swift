/// Which violations of the specification's chapter 3 are errors when a schema is read.
public struct SchemaRules: Sendable, Hashable {
  private let isForClients: Bool
  /// Whether the first extension of a type that is not defined is its definition, with a warning:
  /// for a part of a schema whose other parts are elsewhere, such as a subgraph of a federation.
  public var allowsUndefinedTypes = false

  private init(isForClients: Bool) { self.isForClients = isForClients }

  /// All of them. For the schema of your own service.
  public static let specification = SchemaRules(isForClients: false)
  /// Those without which generated code or an executed document would be wrong. All others are
  /// warnings: published schemas of existing services violate them, and a client cannot correct
  /// another's schema.
  public static let client = SchemaRules(isForClients: true)

  /// Whether a violation with this code is only a warning.
  func tolerate(_ code: String) -> Bool { isForClients && Self.tolerated.contains(code) }

  /// The codes of violations that concern only the service. Documentation/Schemas.md has the reasons.
  static let tolerated: Set<String> = [
    // Default values. A client sends none, and the service completes what is left out.
    "DefaultValues", "UnreadableDefaultValue",
    // Deprecations and texts, which are only shown.
    "RequiredNotDeprecated", "ImplementedDeprecation", "UnreadableText",
    // Directives in the schema. A client interprets only built-in ones.
    "KnownDirectives", "DirectiveLocations", "UniqueDirectives", "KnownArguments",
    "UniqueArguments", "RequiredArguments", "ArgumentValues", "DirectiveDefinitionCycles",
    "DirectiveArgumentTypes", "OneOfNotInExtensions",
    // Arguments of interfaces. The service checks those that a document uses.
    "ImplementedArguments", "AdditionalArguments",
    // Input objects. The service never accepts a value of such a type.
    "OneOfFields", "InputObjectCycles",
    // Types without members, as services show them to users without rights.
    "FieldsNonEmpty", "MembersNonEmpty", "ValuesNonEmpty",
    // Names that are harmless in Swift. Definitions of introspection's own types are left out.
    "ReservedNames", "IntrospectionTypes", "EnumValueNames",
    // Equal repetitions.
    "RepeatedFields", "RepeatedOperationTypes",
    // Kinds of types that a later edition of the specification adds. Fields of these types are left
    // out.
    "UnknownKind",
  ]
}
