/// Documents that request a server's schema (section 4).
enum IntrospectionQuery {
  /// Requests the fields and arguments of the server's own introspection types.
  static let features: String = {
    let types = ["__Schema", "__Type", "__Field", "__InputValue", "__Directive"]
    let fields = types.map {
      "\($0.dropFirst(2)): __type(name: \"\($0)\") { name fields { name args { name } } }"
    }
    return "query Features { \(fields.joined(separator: " ")) }"
  }()

  /// Requests everything, with the given optional parts.
  static func schema(_ features: Set<IntrospectionFeature>) -> String {
    func part(_ feature: IntrospectionFeature, _ text: String, else other: String = "") -> String {
      features.contains(feature) ? text : other
    }
    let inputs = part(.deprecatedInputs, "(includeDeprecated: true)")
    let directiveInputs = part(.deprecatedDirectiveArguments, "(includeDeprecated: true)")
    return """
      query Introspection {
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
      fragment Reference on __Type { \(reference) }
      """
  }

  /// Eight wrappers: lists of lists of lists, each non-null, and one more.
  private static let reference: String = {
    var selection = "kind name"
    for _ in 0..<8 { selection = "kind name ofType { \(selection) }" }
    return selection
  }()
}
