import CTreeswiftAtomics

extension GraphQL {
  /// Names and cases of one enum type, created once and kept forever.
  ///
  /// Not generic: a generic class needs a lookup of its metadata at each use, which took longer
  /// than reading the value. It is used by its address, since retaining it, or the contents of a
  /// copy, took as long.
  // Safe: `bits` has a number for each returned position, and lives forever.
  @safe struct EnumTable: ~Copyable {
    private let type: ObjectIdentifier
    private let names: [String]
    /// The position of `unknownValue`, which has no name.
    private let unknown: Int
    private let index: NameIndex
    /// The bytes of each case, as a little-endian number; `unknownValue` last. Stored by position
    /// instead of by case, since the `Hashable` conformance of the case may be what is being
    /// initialised.
    private let bits: UnsafeMutableBufferPointer<UInt64>
    private let positions: [UInt64: Int]

    init<Value: Enum>(_ type: Value.Type) {
      let names = "\(Value._names)".split(separator: " ").map(String.init)
      let cases = Value.allCases
      precondition(
        cases.count == names.count + 1,
        "\(Value.self): names and cases differ; generate the module again")
      self.type = ObjectIdentifier(type)
      self.names = names + [""]
      unknown = names.count
      index = NameIndex(names)
      unsafe bits = .allocate(capacity: cases.count)
      _ = unsafe bits.initialize(from: cases.lazy.map { Self.bits($0).littleEndian })
      positions = unsafe Dictionary(
        uniqueKeysWithValues: bits.enumerated().map { ($1.littleEndian, $0) })
    }

    func name<Value: Enum>(of value: Value) -> String {
      positions[Self.bits(value)].map { names[$0] } ?? ""
    }

    /// The position of the case with that name; of `unknownValue` for any other text.
    @inline(__always)
    func position(of name: UnsafeBufferPointer<UInt8>) -> Int {
      unsafe index.position(of: name) ?? unknown
    }

    /// The case at a position of the table of its type.
    // Safe: the first bytes were those of a value of the type, whose cases have no payloads.
    @inline(__always)
    func value<Value: Enum>(at position: Int) -> Value {
      unsafe precondition(ObjectIdentifier(Value.self) == type && bits.indices.contains(position))
      return unsafe UnsafeRawPointer(bits.baseAddress.unsafelyUnwrapped + position).load(
        as: Value.self)
    }

    /// The bytes of a case without payload: one byte up to 256 cases, two or more above.
    private static func bits<Value: Enum>(_ value: Value) -> UInt64 {
      unsafe withUnsafeBytes(of: value) { bytes in
        precondition(bytes.count <= 8, "\(Value.self) has cases with payloads")
        return unsafe bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
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
