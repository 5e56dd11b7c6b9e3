extension GraphQL {
  /// One type's lines of the table, read at first use.
  // Safe: its shape is not written after it is created, and only this object frees it.
  @safe final class TypeInfo: @unchecked Sendable {
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
    /// `key:id`, `policy:transient` and others.
    let attributes: [String: String]
    let fields: [FieldInfo]
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

    var isAbstract: Bool { unsafe shape.pointee.isAbstract }

    func field(_ name: String) -> FieldInfo? {
      unsafe shape.pointee.position(of: name).map { fields[$0] }
    }
  }
}
