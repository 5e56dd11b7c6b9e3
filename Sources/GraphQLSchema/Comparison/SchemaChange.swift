/// A difference between an older schema and a newer one, and what it means for clients.
public struct SchemaChange: Sendable, Hashable {
  /// What the change can do to documents and programs written for the older schema.
  public enum Severity: String, Sendable, CaseIterable {
    /// Documents that were valid may not be so any more, or responses may not be what they promise.
    case breaking
    /// Documents stay valid, and a program may meet what it did not know or get other results.
    case dangerous
    /// Nothing that was written for the older schema notices.
    case safe
  }

  /// What the change does to clients.
  public var severity: Severity
  /// What has changed.
  public var kind: Kind
  /// The element that has changed; nil for the schema as a whole and its root operation types.
  public var coordinate: SchemaCoordinate?
  /// What the change is about besides: the member of a union, the interface of a type, a directive's
  /// location, the kind of operation; nil where the coordinate says it all.
  public var subject: String?
  /// One sentence that makes sense beside the coordinate. It quotes types and default values as
  /// GraphQL writes them, and no descriptions.
  public var message: String

  /// Makes one from its parts.
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
  /// Grave changes first, then by coordinate, the schema as a whole before its elements.
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
