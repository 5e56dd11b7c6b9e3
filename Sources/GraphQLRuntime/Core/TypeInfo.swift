extension GraphQL {
  /// One type's lines of the table, read at first use.
  package final class TypeInfo: Sendable {
    package enum Kind: Sendable {
      case object, interface, union, enumeration, inputObject, oneOfInput, scalar
    }

    /// Position in the table.
    package let index: Int
    package let name: String
    /// ``name`` as UTF-8.
    let nameText: [UInt8]
    package let kind: Kind
    /// Interfaces of an object or interface; members of a union.
    package let related: [String]
    /// `key:id`, `policy:transient` and others.
    package let attributes: [String: String]
    package let fields: [FieldInfo]
    private let names: NameIndex

    init(
      index: Int, name: String, kind: Kind, related: [String], attributes: [String: String],
      fields: [FieldInfo]
    ) {
      self.index = index
      self.name = name
      nameText = Array(name.utf8)
      self.kind = kind
      self.related = related
      self.attributes = attributes
      self.fields = fields
      names = NameIndex(fields.map(\.name))
    }

    package var isAbstract: Bool { kind == .interface || kind == .union }

    /// The position of a field in ``fields``.
    func position(of field: String) -> Int? { names.position(of: field) }

    package func field(_ name: String) -> FieldInfo? { position(of: name).map { fields[$0] } }
  }
}
