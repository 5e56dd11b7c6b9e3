extension GraphQL {
  /// One type's lines of the table, read at first use.
  ///
  /// `@unchecked Sendable` holds because its memory is not written after it is made.
  final class TypeInfo: @unchecked Sendable {
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
    /// For each field the position of the object, interface or union that it leads to, else -1. Apart
    /// from ``fields``, so that printing counts no references.
    private let compositePositions: UnsafeMutablePointer<Int32>

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
      compositePositions = .allocate(capacity: fields.count)
      for (position, field) in fields.enumerated() {
        let composite: Int32 =
          if case .composite(let index) = field.named { Int32(index) } else { -1 }
        (compositePositions + position).initialize(to: composite)
      }
    }

    deinit {
      names.deallocate()
      compositePositions.deallocate()
    }

    var isAbstract: Bool { kind == .interface || kind == .union }

    /// The position of a field in ``fields``.
    @inline(__always)
    func position(of field: String) -> Int? { names.position(of: field) }

    /// The position in the table of the type that the field at `position` leads to, nil for a leaf.
    @inline(__always)
    func composite(_ position: Int) -> Int? {
      precondition(position < fields.count)
      let composite = Int(compositePositions[position])
      return composite < 0 ? nil : composite
    }

    func field(_ name: String) -> FieldInfo? {
      names.position(of: name).map { fields[$0] }
    }
  }
}
