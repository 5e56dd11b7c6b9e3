import CTreeswiftAtomics

extension GraphQL {
  /// Names and cases of one enum type, created once and kept forever.
  ///
  /// Not generic: a generic class needs a lookup of its metadata at each use, which took longer
  /// than reading the value. It is used by its address, since retaining it, or the contents of a
  /// copy, took as long.
  // Safe: `cases` has a case for each name, and lives forever.
  @safe struct EnumTable: ~Copyable {
    private let type: ObjectIdentifier
    private let names: [String]
    private let index: NameIndex
    /// The listed cases, values of the type.
    private let cases: UnsafeMutableRawPointer

    init<Value: Enum>(_ type: Value.Type) {
      let names = "\(Value._names)".split(separator: " ").map(String.init)
      let values = Value._cases
      precondition(
        values.count == names.count,
        "\(Value.self): names and cases differ; generate the module again")
      self.type = ObjectIdentifier(type)
      self.names = names
      index = NameIndex(names)
      let cases = UnsafeMutableBufferPointer<Value>.allocate(capacity: max(values.count, 1))
      _ = unsafe cases.initialize(from: values)
      unsafe self.cases = UnsafeMutableRawPointer(cases.baseAddress!)
    }

    func name(at position: Int) -> String { names[position] }

    /// The position of the case with that name; nil for any other text.
    @inline(__always)
    func position(of name: UnsafeBufferPointer<UInt8>) -> Int? {
      unsafe index.position(of: name)
    }

    /// The case at a position of the table of its type.
    @inline(__always)
    func value<Value: Enum>(at position: Int) -> Value {
      precondition(ObjectIdentifier(Value.self) == type && names.indices.contains(position))
      return unsafe cases.assumingMemoryBound(to: Value.self)[position]
    }
  }
}

extension GraphQL.EnumTable {
  /// The table of `type`.
  // Safe: a slot is empty or has the address of a table, which was created before it and lives
  // forever.
  static func of(_ type: any GraphQL.Enum.Type) -> UnsafePointer<GraphQL.EnumTable> {
    let identifier = ObjectIdentifier(type)
    let slot = unsafe GraphQL.EnumTables.slot(identifier)
    // A slot is empty or points to a table that lives forever, so the pointer is valid.
    if let known = unsafe UnsafePointer<GraphQL.EnumTable>(
      bitPattern: treeswift_load_address(slot)), unsafe known.pointee.type == identifier
    {
      return unsafe known
    }
    let address = GraphQL.EnumTables.kept.withLock { tables in
      if let known = tables[identifier] { return known }
      let table = UnsafeMutablePointer<GraphQL.EnumTable>.allocate(capacity: 1)
      unsafe table.initialize(to: GraphQL.EnumTable(type))
      tables[identifier] = UInt(bitPattern: table)
      return UInt(bitPattern: table)
    }
    unsafe treeswift_store_address(slot, address)
    return unsafe UnsafePointer(bitPattern: address)!
  }
}

extension GraphQL {
  /// The tables created so far. Types of an enum's kind cannot have stored statics, so this is a
  /// dictionary. A few hundred slots before it have the table that was last used for each, since a
  /// lock and a hash cost more than a read.
  fileprivate enum EnumTables {
    /// Addresses of tables.
    static let kept = Locked<[ObjectIdentifier: UInt]>([:])

    private static let slotCount = 256

    // Safe: it is never freed, and all access is by atomic operations.
    private nonisolated(unsafe) static let slots: UnsafeMutablePointer<UInt> = {
      let slots = UnsafeMutablePointer<UInt>.allocate(capacity: slotCount)
      unsafe slots.initialize(repeating: 0, count: slotCount)
      return unsafe slots
    }()

    /// By the address of the type's metadata, whose low bits carry no information.
    // Safe: the remainder is below the number of slots.
    @inline(__always)
    static func slot(_ type: ObjectIdentifier) -> UnsafeMutablePointer<UInt> {
      let address = UInt(bitPattern: type)
      return unsafe slots + Int((address >> 4 ^ address >> 12) % UInt(slotCount))
    }
  }
}
