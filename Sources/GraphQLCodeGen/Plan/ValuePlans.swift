/// An enum, emitted as cases and one string of their names.
package struct EnumPlan: Equatable, Sendable {
  package var schemaName: String
  package var name: String
  package var documentation: Documentation
  package var cases: [EnumCasePlan]

  var hasDeprecatedCases: Bool { cases.contains { $0.deprecation != nil } }
}

package struct EnumCasePlan: Equatable, Sendable {
  package var schemaName: String
  package var name: String
  package var documentation: Documentation
  package var deprecation: String?
}

/// An input object, emitted as a struct with an optional property for every field that may be left out.
package struct InputObjectPlan: Equatable, Sendable {
  package var schemaName: String
  package var name: String
  package var documentation: Documentation
  /// The initialiser's text for quick help.
  package var initializer: Documentation
  package var fields: [InputFieldPlan]
}

package struct InputFieldPlan: Equatable, Sendable {
  package var argument: ArgumentPlan
  package var property: String
  package var documentation: Documentation
  package var deprecation: String?
}

/// A `@oneOf` input object, emitted as an enum with a case per field.
package struct OneOfPlan: Equatable, Sendable {
  package var schemaName: String
  package var name: String
  package var documentation: Documentation
  package var cases: [OneOfCasePlan]
  /// Whether a case may contain a value of a `@oneOf` type, possibly itself.
  package var isIndirect: Bool
}

package struct OneOfCasePlan: Equatable, Sendable {
  package var schemaName: String
  package var name: String
  package var type: SwiftType
  package var documentation: Documentation
  package var deprecation: String?
}

/// A directive for executable documents, emitted as a static function of `GraphQL.Directive`.
package struct DirectivePlan: Equatable, Sendable {
  package var schemaName: String
  package var function: String
  package var arguments: [ArgumentPlan]
  package var documentation: Documentation
}
