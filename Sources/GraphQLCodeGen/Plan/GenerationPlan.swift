/// All declarations of the module, with every decision made: the boundary between planning and
/// emission.
///
/// Types are sorted by name. Every Swift name is valid, escaped and free of collisions, every type
/// is resolved to its spelling, every schema name is a checked GraphQL name. Free text
/// (descriptions, default values, reasons) is still raw; emitters escape it as they write it.
package struct GenerationPlan: Equatable, Sendable {
  package var namespace: String
  package var access: Configuration.AccessLevel
  package var classes: Configuration.ClassKind
  /// Whether there are builders, and classes for responses. Without them, composites are only in the table.
  package var hasBuilders: Bool
  package var layout: Configuration.Layout
  /// The modules of the user's own types for scalars, by the types' names.
  package var importedTypes: [String: String]
  package var documentation: Documentation
  package var roots: [RootPlan]
  /// Objects, interfaces and unions, in the order of their lines in the table.
  package var composites: [CompositePlan]
  package var enums: [EnumPlan]
  package var inputs: [InputObjectPlan]
  package var oneOfs: [OneOfPlan]
  package var directives: [DirectivePlan]
  /// Whether a directive may be applied to a field or fragment.
  package var hasFieldDirectives: Bool
  package var scalars: [ScalarPlan]
  /// The lines of the schema table.
  package var table: [String]
  /// Standard types that need their module's name, because a generated type has the same name.
  package var hiddenStandardTypes: Set<String>
}

/// The text of a documentation comment, not yet escaped.
package struct Documentation: Equatable, Sendable {
  package var description: String?
  /// Sentences after the description, without line breaks of their own.
  package var notes: [Note] = []
  package var parameters: [ParameterNote] = []

  package struct ParameterNote: Equatable, Sendable {
    package var name: String
    package var description: String?
    package var notes: [Note]
  }

  package enum Note: Equatable, Sendable {
    /// The default value, as GraphQL text.
    case defaultValue(String)
    case deprecated(String)
    /// The value, the items of its list, or both are null only with an error.
    case nullOnlyWithError(value: Bool, items: Bool)
  }

  var isEmpty: Bool { description == nil && notes.isEmpty && parameters.isEmpty }
}

/// A root operation type: the classes of `buildQuery`, `buildMutation` or `buildSubscription`.
package struct RootPlan: Equatable, Sendable {
  package enum Operation: String, CaseIterable, Sendable {
    case query, mutation, subscription
  }

  package var operation: Operation
  package var queryClass: String
  package var responseClass: String
}

/// A custom scalar that is mapped to a Swift type.
package struct ScalarPlan: Equatable, Sendable {
  package var schemaName: String
  package var type: SwiftType
}
