/// A field: a builder method and an accessor, and a reader of aliases if it takes arguments.
///
/// A class, since the closures that write its members capture it: a copy counts one reference
/// instead of a dozen.
package final class FieldPlan: Equatable, Sendable {
  package let schemaName: String
  package let method: String
  package let property: String
  /// The accessor with an alias, for fields with arguments.
  package let aliasedReader: String?
  package let arguments: [ArgumentPlan]
  /// The query class of the subfields; nil for leaves.
  package let subfields: String?
  /// The helper of the runtime that reads the value.
  package let accessor: String
  package let type: SwiftType
  package let documentation: Documentation
  package let deprecation: String?

  init(
    schemaName: String, method: String, property: String, aliasedReader: String?,
    arguments: [ArgumentPlan], subfields: String?, accessor: String, type: SwiftType,
    documentation: Documentation, deprecation: String?
  ) {
    self.schemaName = schemaName
    self.method = method
    self.property = property
    self.aliasedReader = aliasedReader
    self.arguments = arguments
    self.subfields = subfields
    self.accessor = accessor
    self.type = type
    self.documentation = documentation
    self.deprecation = deprecation
  }

  /// The field with fewer arguments.
  func keeping(_ arguments: [ArgumentPlan], _ documentation: Documentation) -> FieldPlan {
    FieldPlan(
      schemaName: schemaName, method: method, property: property, aliasedReader: aliasedReader,
      arguments: arguments, subfields: subfields, accessor: accessor, type: type,
      documentation: documentation, deprecation: deprecation)
  }

  package static func == (lhs: FieldPlan, rhs: FieldPlan) -> Bool {
    lhs.schemaName == rhs.schemaName && lhs.method == rhs.method && lhs.property == rhs.property
      && lhs.aliasedReader == rhs.aliasedReader && lhs.arguments == rhs.arguments
      && lhs.subfields == rhs.subfields && lhs.accessor == rhs.accessor && lhs.type == rhs.type
      && lhs.documentation == rhs.documentation && lhs.deprecation == rhs.deprecation
  }
}
