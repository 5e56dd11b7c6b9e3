/// Documents that request a server's schema (section 4).
enum IntrospectionQuery {
  /// The operation name of `features`.
  static let featuresName = "IntrospectionFeatures"
  /// The operation name of `schema`. Some servers accept introspection only under this name.
  static let schemaName = "IntrospectionQuery"

  /// Requests the fields and arguments of the server's own introspection types.
  static let features: String = {
    let types = ["__Schema", "__Type", "__Field", "__InputValue", "__Directive"]
    let fields = types.map {
      "\($0.dropFirst(2)): __type(name: \"\($0)\") { name fields { name args { name } } }"
    }
    return "query \(featuresName) { \(fields.joined(separator: " ")) }"
  }()

  /// Lists in lists, five deep, each non-null: a `MultiPolygon` of GeoJSON has four.
  static let maximumWrappers = 11

  /// Requests everything, with the given optional parts.
  ///
  /// - Parameter wrappers: the number of lists and non-null types around a named type.
  static func schema(
    _ features: Set<IntrospectionFeature>, wrappers: Int = maximumWrappers
  ) -> String {
    func part(_ feature: IntrospectionFeature, _ text: String, else other: String = "") -> String {
      features.contains(feature) ? text : other
    }
    let inputs = part(.deprecatedInputs, "(includeDeprecated: true)")
    let directiveInputs = part(.deprecatedDirectiveArguments, "(includeDeprecated: true)")
    return """
      query \(schemaName) {
        __schema {
          \(part(.schemaDescription, "description"))
          queryType { name }
          mutationType { name }
          subscriptionType { name }
          types {
            kind name description \(part(.oneOf, "isOneOf")) \(part(.specifiedByURL, "specifiedByURL"))
            fields(includeDeprecated: true) {
              name description
              args\(inputs) { ...Input }
              type { ...Reference }
              isDeprecated deprecationReason
            }
            inputFields\(inputs) { ...Input }
            interfaces { ...Reference }
            enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
            possibleTypes { ...Reference }
          }
          directives {
            name description \(part(.repeatableDirectives, "isRepeatable"))
            \(part(.directiveLocations, "locations", else: "onOperation onField onFragment"))
            args\(directiveInputs) { ...Input }
          }
        }
      }
      fragment Input on __InputValue {
        name description type { ...Reference } defaultValue
        \(part(.deprecatedInputs, "isDeprecated deprecationReason"))
      }
      fragment Reference on __Type { \(reference(wrappers)) }
      """
  }

  private static func reference(_ wrappers: Int) -> String {
    (0..<wrappers).reduce("kind name") { selection, _ in "kind name ofType { \(selection) }" }
  }
}

/// Parts of introspection that some servers lack, the newest first.
enum IntrospectionFeature: String, CaseIterable {
  /// `__Type.isOneOf`, of the edition of 2025.
  case oneOf
  /// `includeDeprecated` on arguments of directives.
  case deprecatedDirectiveArguments
  /// Deprecated arguments and input fields, with their reasons.
  case deprecatedInputs
  /// `__Type.specifiedByURL`, of the edition of 2021.
  case specifiedByURL
  /// `__Schema.description`
  case schemaDescription
  /// `__Directive.isRepeatable`
  case repeatableDirectives
  /// `__Directive.locations`; before the edition of 2016 there were three flags.
  case directiveLocations
}

extension Set<IntrospectionFeature> {
  static var all: Self { Set(IntrospectionFeature.allCases) }

  /// The features of the server's own introspection types.
  ///
  /// - Parameter fields: the fields of each introspection type, with their arguments' names.
  init(fields: [String: [String: Set<String>]]) {
    func has(_ type: String, _ field: String, _ argument: String? = nil) -> Bool {
      guard let arguments = fields[type]?[field] else { return false }
      return argument.map(arguments.contains) ?? true
    }
    self = .all.filter { feature in
      switch feature {
      case .oneOf: has("__Type", "isOneOf")
      case .deprecatedDirectiveArguments: has("__Directive", "args", "includeDeprecated")
      case .deprecatedInputs:
        has("__InputValue", "isDeprecated") && has("__InputValue", "deprecationReason")
          && has("__Field", "args", "includeDeprecated")
          && has("__Type", "inputFields", "includeDeprecated")
      case .specifiedByURL: has("__Type", "specifiedByURL")
      case .schemaDescription: has("__Schema", "description")
      case .repeatableDirectives: has("__Directive", "isRepeatable")
      case .directiveLocations: has("__Directive", "locations")
      }
    }
  }

  /// The features for the next attempt after errors: without those that the messages name, or else
  /// without the newest one; nil if there is nothing left to leave out.
  func without(namedIn messages: [String]) -> Self? {
    let named = filter { feature in
      messages.contains { message in feature.words.allSatisfy(message.contains) }
    }
    if !named.isEmpty { return subtracting(named) }
    guard let youngest = IntrospectionFeature.allCases.first(where: contains) else { return nil }
    return subtracting([youngest])
  }
}

extension IntrospectionFeature {
  /// A part of an error message about the feature.
  fileprivate var words: [String] {
    switch self {
    case .oneOf: ["isOneOf"]
    case .deprecatedDirectiveArguments: ["includeDeprecated", "__Directive"]
    case .deprecatedInputs: ["__InputValue"]
    case .specifiedByURL: ["specifiedByURL"]
    case .schemaDescription: ["description", "__Schema"]
    case .repeatableDirectives: ["isRepeatable"]
    case .directiveLocations: ["locations"]
    }
  }
}
