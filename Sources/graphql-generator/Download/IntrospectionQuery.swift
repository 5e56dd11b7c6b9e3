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
