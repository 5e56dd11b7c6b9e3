extension GraphQL {
  /// The parts of a type that printing a request needs: plain memory without references to count,
  /// which took a seventh of the time of printing. It lives as long as its ``TypeInfo``.
  // Safe: not written after `init`; positions come from `names`, which has one for each field.
  @safe struct TypeShape {
    let isAbstract: Bool
    private let names: NameIndex
    /// For each field the position of the object, interface or union to which it leads, else -1.
    private let composites: UnsafeMutableBufferPointer<Int32>

    init(_ fields: [FieldInfo], isAbstract: Bool) {
      self.isAbstract = isAbstract
      names = NameIndex(fields.map(\.name))
      unsafe composites = .allocate(capacity: fields.count)
      _ = unsafe composites.initialize(
        from: fields.lazy.map { field in
          if case .composite(let position) = field.named { Int32(position) } else { -1 }
        })
    }

    // Safe: not for a shape that is used again, or a copy of it; its `TypeInfo` ensures that.
    @unsafe func deallocate() {
      unsafe names.deallocate()
      unsafe composites.deallocate()
    }

    /// The position of a field in ``TypeInfo/fields``.
    @inline(__always)
    func position(of field: UnsafeBufferPointer<UInt8>) -> Int? { unsafe names.position(of: field) }

    @inline(__always)
    func position(of field: String) -> Int? { names.position(of: field) }

    /// The position in the table of the type to which the field at `position` leads, nil for a
    /// leaf.
    @inline(__always)
    func composite(_ position: Int) -> Int? {
      let composite = unsafe Int(composites[position])
      return composite < 0 ? nil : composite
    }
  }
}
