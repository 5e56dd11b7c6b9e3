extension GraphQL {
  /// One type's lines of the table, read at first use.
  // Safe: its memory is not written after it is made, and nobody else frees its shape.
  final class TypeInfo: @unchecked Sendable {
    enum Kind: Sendable {
      case object, interface, union, enumeration, inputObject, oneOfInput, scalar

      fileprivate var isAbstract: Bool { self == .interface || self == .union }
    }

    /// Position in the table.
    let index: Int
    let name: String
    let kind: Kind
    /// Interfaces of an object or interface; members of a union.
    let related: [String]
    /// `key:id`, `policy:transient` and the like.
    let attributes: [String: String]
    let fields: [FieldInfo]
    let shape: TypeShape

    init(
      index: Int, name: String, kind: Kind, related: [String], attributes: [String: String],
      fields: [FieldInfo]
    ) {
      self.index = index
      self.name = name
      self.kind = kind
      self.related = related
      self.attributes = attributes
      self.fields = fields
      shape = TypeShape(fields, isAbstract: kind.isAbstract)
    }

    deinit { unsafe shape.deallocate() }

    var isAbstract: Bool { shape.isAbstract }

    func field(_ name: String) -> FieldInfo? {
      shape.position(of: name).map { fields[$0] }
    }
  }
}
