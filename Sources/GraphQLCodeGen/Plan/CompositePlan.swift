/// An object, interface or union: a class that selects its fields and one that reads them.
package struct CompositePlan: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case object, interface, union
  }

  package var kind: Kind
  package var schemaName: String
  package var documentation: Documentation
  /// The class that selects fields: `ProductQuery`.
  package var queryClass: String
  /// The type that accessors return: the class of an object, the protocol of an abstract type.
  package var responseType: String
  /// The class that is instantiated: `Product`, `UnknownNode`.
  package var responseClass: String
  /// Protocols of the interfaces and unions it belongs to, sorted.
  package var protocols: [String]
  package var fields: [FieldPlan]
  /// Type conditions, on abstract types only.
  package var conditions: [ConditionPlan]

  /// Whether the property `id` identifies objects of the type.
  package var isIdentifiable = false

  package var isAbstract: Bool { kind != .object }
}

/// An argument of a field or directive, or of the initialiser of an input object.
package struct ArgumentPlan: Equatable, Sendable {
  package var schemaName: String
  /// The label as the caller writes it.
  package var label: String
  /// The name in the body; differs from the label if the label is a keyword or hides a helper.
  package var variable: String
  package var type: SwiftType
  /// The default value is nil.
  package var isRequired: Bool
}

/// `onOrder { … }`
package struct ConditionPlan: Equatable, Sendable {
  package var method: String
  package var schemaName: String
  package var queryClass: String
}
