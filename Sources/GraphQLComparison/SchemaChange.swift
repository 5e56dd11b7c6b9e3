import GraphQLSchema

/// A difference between an older schema and a newer one, and its effect on clients.
public struct SchemaChange: Sendable, Hashable {
  /// The effect of the change on documents and programs written for the older schema.
  public enum Severity: String, Sendable, CaseIterable {
    /// Documents that were valid may become invalid, or responses may break an earlier guarantee.
    case breaking
    /// Documents stay valid, but a program may receive unknown values or get other results.
    case dangerous
    /// The change has no effect on anything written for the older schema.
    case safe
  }

  /// The effect of the change on clients.
  public var severity: Severity
  /// The kind of the change.
  public var kind: Kind
  /// The element that has changed; nil for the schema as a whole and its root operation types.
  public var coordinate: SchemaCoordinate?
  /// The other element of the change: the member of a union, the interface of a type, a directive's
  /// location, the kind of operation; nil if the coordinate is sufficient.
  public var subject: String?
  /// One sentence that makes sense next to the coordinate. It quotes types and default values in
  /// GraphQL's syntax, and no descriptions.
  public var message: String

  /// Creates a schema change.
  public init(
    _ severity: Severity, _ kind: Kind, at coordinate: SchemaCoordinate?, subject: String? = nil,
    _ message: String
  ) {
    self.severity = severity
    self.kind = kind
    self.coordinate = coordinate
    self.subject = subject
    self.message = message
  }
}

extension SchemaChange: Comparable {
  /// The most severe changes first, then by coordinate, the schema as a whole before its elements.
  public static func < (lhs: SchemaChange, rhs: SchemaChange) -> Bool {
    lhs.order < rhs.order
  }

  private var order: (Int, String, String, String) {
    let rank =
      switch severity {
      case .breaking: 0
      case .dangerous: 1
      case .safe: 2
      }
    return (rank, coordinate?.description ?? "", kind.rawValue, subject ?? "")
  }
}

extension SchemaChange: CustomStringConvertible {
  /// `breaking: Product.title: The field was removed.`
  public var description: String {
    "\(severity.rawValue): \(coordinate?.description ?? "schema"): \(message)"
  }
}

extension SchemaChange {
  /// The kind of a change, regardless of its effect on clients.
  public enum Kind: String, Sendable, CaseIterable {
    case typeAdded, typeRemoved, typeKindChanged
    case fieldAdded, fieldRemoved, fieldTypeChanged
    case argumentAdded, argumentRemoved, argumentTypeChanged, argumentDefaultChanged
    case inputFieldAdded, inputFieldRemoved, inputFieldTypeChanged, inputFieldDefaultChanged
    case enumValueAdded, enumValueRemoved
    case unionMemberAdded, unionMemberRemoved
    case interfaceAdded, interfaceRemoved
    case oneOfAdded, oneOfRemoved
    case specificationChanged
    case directiveAdded, directiveRemoved
    case directiveLocationAdded, directiveLocationRemoved
    case directiveRepeatabilityChanged
    case rootTypeAdded, rootTypeRemoved, rootTypeChanged
    case deprecationAdded, deprecationRemoved, deprecationReasonChanged
    case descriptionChanged
  }
}

extension ServiceSchema {
  /// All differences between an older schema and this one, the most severe first, each kind sorted
  /// by coordinate.
  ///
  /// Elements are the same if their coordinates are equal (section 2.14): a renamed field counts as
  /// one removed and one added field. The order of definitions does not matter. Applied directives
  /// other than `@deprecated`, `@specifiedBy` and `@oneOf` do not matter either, because
  /// introspection does not include them. Built-in scalars and directives are not compared.
  public func changes(from old: ServiceSchema) -> [SchemaChange] {
    var comparison = SchemaComparison(old: old, new: self)
    comparison.run()
    return comparison.changes.sorted()
  }
}
