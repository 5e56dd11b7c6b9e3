extension GraphQL {
  /// One type's lines of the table, read at first use.
  final class TypeInfo: Sendable {
    enum Kind: Sendable {
      case object, interface, union, enumeration, inputObject, oneOfInput, scalar
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
    private let names: NameIndex

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
      names = NameIndex(fields.map(\.name))
    }

    var isAbstract: Bool { kind == .interface || kind == .union }

    /// The position of a field in ``fields``.
    @inline(__always)
    func position(of field: String) -> Int? { names.position(of: field) }

    func field(_ name: String) -> FieldInfo? {
      names.position(of: name).map { fields[$0] }
    }
  }
}
