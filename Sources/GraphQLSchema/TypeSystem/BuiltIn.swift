/// The definitions that every schema has implicitly: scalars (section 3.5), directives (section
/// 3.13) and the types of introspection (section 4.2).
package enum BuiltIn {
  static let types = NamedList(
    definitions.compactMap { if case .type(let type) = $0 { type } else { nil } })

  static let directives = NamedList(
    definitions.compactMap { if case .directive(let directive) = $0 { directive } else { nil } })

  /// Fields that every schema has without listing them (section 4).
  static let metaFields: Set<String> = ["__typename", "__schema", "__type"]

  /// Whether a type is one of introspection.
  static func isIntrospection(_ name: String) -> Bool {
    name.hasPrefix("__") && types.contains(name: name)
  }

  package static func isScalar(_ name: String) -> Bool {
    switch name {
    case "Int", "Float", "String", "Boolean", "ID": true
    default: false
    }
  }

  private static let definitions: [Document.Definition] = {
    let source = Source(
      name: "built-in definitions", text: scalars + specifiedDirectives + introspection)
    var diagnostics = DiagnosticCollector(sources: [source])
    // No source has this index, so the ranges of built-in definitions point nowhere.
    let document = Document(source, index: SourceRange.none.source, &diagnostics)
    precondition(diagnostics.isEmpty, "the built-in definitions do not parse")
    return document.definitions
  }()

  private static let scalars = """
    "A signed whole number of 32 bits."
    scalar Int

    "A number with a fractional part, of double precision (IEEE 754)."
    scalar Float

    "Text: a sequence of Unicode characters."
    scalar String

    "`true` or `false`."
    scalar Boolean

    "A unique identifier. It is serialized as a string and not meant to be read by people; an integer is accepted too."
    scalar ID

    """

  private static let specifiedDirectives = """
    "Leaves out a field or fragment when the condition is true."
    directive @skip("Whether to leave it out." if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT

    "Keeps a field or fragment only when the condition is true."
    directive @include("Whether to keep it." if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT

    "Marks a part of the schema as no longer supported."
    directive @deprecated("Why, and what to use instead, in Markdown." reason: String! = "No longer supported") on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE

    "States where a custom scalar's format is specified."
    directive @specifiedBy("The address of the specification." url: String!) on SCALAR

    "Marks an input object of which exactly one field must be given, and it must not be null."
    directive @oneOf on INPUT_OBJECT

    """

  private static let introspection = """
    "What a service can do: its types, directives and root operation types."
    type __Schema {
      description: String
      "All types of the service."
      types: [__Type!]!
      "The type at the root of queries."
      queryType: __Type!
      "The type at the root of mutations, if there are any."
      mutationType: __Type
      "The type at the root of subscriptions, if there are any."
      subscriptionType: __Type
      "All directives of the service."
      directives: [__Directive!]!
    }

    "A type, named or wrapping another one. Its kind decides which fields are not null."
    type __Type {
      kind: __TypeKind!
      name: String
      description: String
      "For custom scalars that have one."
      specifiedByURL: String
      "For objects and interfaces."
      fields(includeDeprecated: Boolean! = false): [__Field!]
      "For objects and interfaces."
      interfaces: [__Type!]
      "For interfaces and unions."
      possibleTypes: [__Type!]
      "For enums."
      enumValues(includeDeprecated: Boolean! = false): [__EnumValue!]
      "For input objects."
      inputFields(includeDeprecated: Boolean! = false): [__InputValue!]
      "For lists and non-null types."
      ofType: __Type
      "For input objects."
      isOneOf: Boolean
    }

    "The kinds of type."
    enum __TypeKind { SCALAR OBJECT INTERFACE UNION ENUM INPUT_OBJECT LIST NON_NULL }

    "A field of an object or interface."
    type __Field {
      name: String!
      description: String
      args(includeDeprecated: Boolean! = false): [__InputValue!]!
      type: __Type!
      isDeprecated: Boolean!
      deprecationReason: String
    }

    "An argument or an input field."
    type __InputValue {
      name: String!
      description: String
      type: __Type!
      "The default value as it is written in GraphQL."
      defaultValue: String
      isDeprecated: Boolean!
      deprecationReason: String
    }

    "A value of an enum."
    type __EnumValue {
      name: String!
      description: String
      isDeprecated: Boolean!
      deprecationReason: String
    }

    "A directive that documents may apply."
    type __Directive {
      name: String!
      description: String
      isRepeatable: Boolean!
      locations: [__DirectiveLocation!]!
      args(includeDeprecated: Boolean! = false): [__InputValue!]!
    }

    "The places where a directive may be applied."
    enum __DirectiveLocation {
      QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT
      VARIABLE_DEFINITION SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION
      ENUM ENUM_VALUE INPUT_OBJECT INPUT_FIELD_DEFINITION
    }
    """
}
