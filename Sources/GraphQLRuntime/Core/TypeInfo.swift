extension GraphQL {
  /// One type's lines of the table, read at first use.
  // Safe: its shape is not written after it is created, and only this object frees it.
  @safe package final class TypeInfo: @unchecked Sendable {
    package enum Kind: Sendable {
      case object, interface, union, enumeration, inputObject, oneOfInput, scalar

      fileprivate var isAbstract: Bool { self == .interface || self == .union }
    }

    /// Position in the table.
    package let index: Int
    package let name: String
    package let kind: Kind
    /// Interfaces of an object or interface; members of a union.
    let related: [String]
    /// `key:id`, `policy:transient` and others.
    package let attributes: [String: String]
    package let fields: [FieldInfo]
    /// By address, so that it is passed on instead of a copy.
    let shape: UnsafePointer<TypeShape>

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
      let shape = UnsafeMutablePointer<TypeShape>.allocate(capacity: 1)
      unsafe shape.initialize(to: TypeShape(fields, isAbstract: kind.isAbstract))
      unsafe self.shape = UnsafePointer(shape)
    }

    deinit {
      unsafe shape.pointee.deallocate()
      unsafe shape.deallocate()
    }

    package var isAbstract: Bool { unsafe shape.pointee.isAbstract }

    package func field(_ name: String) -> FieldInfo? {
      unsafe shape.pointee.position(of: name).map { fields[$0] }
    }
  }
}
