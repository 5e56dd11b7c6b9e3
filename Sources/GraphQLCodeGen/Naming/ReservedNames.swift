/// Names that generated declarations cannot have, because the code around them uses them.
enum ReservedNames {
  /// Nested types of the namespace that would change the meaning of words in generated code. Every
  /// scope rejects `self`, `Type` and similar names.
  static func types(namespace: String) -> WordSet {
    [
      namespace, "Swift", RuntimeSymbols.namespace, "Any", Generated.abstractQuery,
      Generated.abstractResponse, Generated.makeSchema, RuntimeSymbols.schema, "buildQuery",
      "buildMutation",
      "buildSubscription",
    ]
  }

  /// Methods of query classes that generated bodies call.
  static let builderMethods: WordSet = RuntimeSymbols.queryHelpers

  /// Methods of the base class with an argument `if`. A field of such a name conflicts only if it has
  /// an argument `if` too.
  static let builderMethodsWithIf: WordSet = ["include", "skip"]

  /// Properties of response classes that accessors call, and properties of the base class.
  static let accessors: WordSet = RuntimeSymbols.responseHelpers.union([
    "customMirror", "debugDescription", "hashValue",
  ])

  /// Properties of input objects.
  static let inputProperties: WordSet = [RuntimeSymbols.inputFields, "hashValue"]

  /// Cases of enums that `CaseIterable` and the runtime declare on the type.
  static let enumCases: WordSet = [
    "allCases", RuntimeSymbols.unknownValue, RuntimeSymbols.enumNames, RuntimeSymbols.enumCases,
  ]

  /// Cases of `@oneOf` inputs.
  static let oneOfCases: WordSet = [RuntimeSymbols.oneOfField]

  /// Properties of the structs of operations.
  static let selectedProperties: WordSet = [
    RuntimeSymbols.selectedFields, "debugDescription", "hashValue",
  ]

  /// Variables in the initialisers of operations.
  static let operationVariables: WordSet = SwiftKeywords.escaped
    .union([
      RuntimeSymbols.localVariables, RuntimeSymbols.storedVariables, RuntimeSymbols.namespace,
      RuntimeSymbols.data,
    ])

  /// Labels of arguments: `alias:` comes before all of them.
  static let builderLabels: WordSet = ["alias"]

  /// Variables in bodies: parameters with these names would hide what the body calls.
  static let variables: WordSet = SwiftKeywords.escaped
    .union(RuntimeSymbols.queryHelpers)
    .union([
      "alias", "subfields", "directive", RuntimeSymbols.inputFields,
    ])

  /// Standard types that generated code uses; a schema type with that name hides them.
  static let standardTypes: Set<String> = [
    "Array", "Bool", "Double", "Hashable", "Identifiable", "Int", "Sendable",
    "StaticString",
    "String",
    "Void",
  ]
}
