import CTreeswiftAtomics

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

extension GraphQL {
  /// A field (or an input object's field) in the table of its type.
  package final class FieldInfo: Sendable {
    package let name: String
    /// A space and the name, for documents.
    let spacedName: [UInt8]
    package let type: TypeReference
    package let named: NamedType
    package let arguments: [ArgumentInfo]

    init(name: String, type: TypeReference, named: NamedType, arguments: [ArgumentInfo]) {
      self.name = name
      spacedName = Array(" \(name)".utf8)
      self.type = type
      self.named = named
      self.arguments = arguments
    }

    package func argument(_ name: String) -> ArgumentInfo? {
      arguments.first { $0.name == name }
    }
  }

  package struct ArgumentInfo: Sendable {
    package let name: String
    package let type: TypeReference

    /// The condition of `@include` and `@skip`.
    static let condition = ArgumentInfo(name: "if", type: TypeReference(text: "Boolean!"))
  }

  /// The kind of type for a name, determined once when its table is read.
  package enum NamedType: Sendable {
    case int, float, string, boolean, id, enumeration
    /// A custom scalar; without a binding it keeps any JSON value.
    case scalar((any Scalar.Type)?)
    /// An object, interface or union, by its position in the table.
    case composite(Int)
    /// An input object, by its position in the table.
    case input(Int)
  }
}

extension GraphQL {
  /// A type as a field or argument refers to it: `[ID!]!`.
  ///
  /// The wrapping is stored as two bits a layer, outermost first, because a response is checked
  /// against it for every value.
  package struct TypeReference: Hashable, Sendable {
    /// The schema's own text, which declares variables.
    let text: String
    package let name: String
    package let wrapping: Wrapping

    // Safe: the caller keeps the bytes valid during the call; positions stay in them while some are
    // left.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
      var layers: [Wrapping.Layer] = []
      var start = 0
      var end = bytes.count
      while start < end {
        if unsafe bytes[end - 1] == UInt8(ascii: "!") {
          layers.append(.nonNull)
          end -= 1
        } else if unsafe bytes[start] == UInt8(ascii: "["),
          unsafe bytes[end - 1] == UInt8(ascii: "]")
        {
          layers.append(.list)
          start += 1
          end -= 1
        } else {
          break
        }
      }
      let name = unsafe UnsafeBufferPointer(rebasing: bytes[start..<end])
      text = unsafe String(decoding: bytes, as: UTF8.self)
      self.name = unsafe layers.isEmpty ? text : String(decoding: name, as: UTF8.self)
      wrapping = Wrapping(layers)
    }

    // Safe: the string keeps its bytes valid during the call.
    init(text: String) {
      var text = text
      self = text.withUTF8 { unsafe TypeReference($0) }
    }

    package var isNonNull: Bool { wrapping.outermost == .nonNull }
  }

  /// The list and non-null layers around a named type; at most 32, which the generator ensures.
  package struct Wrapping: Hashable, Sendable {
    package enum Layer: UInt64 {
      case none = 0
      case nonNull = 1
      case list = 2
    }

    /// One layer, non-null.
    static let nonNull = Wrapping([.nonNull])

    private var bits: UInt64

    fileprivate init(_ layers: [Layer]) {
      precondition(layers.count <= 32, "a type has more than 32 list and non-null layers")
      bits = layers.reversed().reduce(0) { $0 << 2 | $1.rawValue }
    }

    package var outermost: Layer {
      switch bits & 3 {
      case 1: .nonNull
      case 2: .list
      default: .none
      }
    }

    /// Whether there is no list.
    package var isSingle: Bool {
      outermost == .none || (outermost == .nonNull && inner.outermost == .none)
    }

    /// The wrapping without its outermost layer.
    package var inner: Wrapping {
      var copy = self
      copy.bits >>= 2
      return copy
    }
  }
}

extension GraphQL {
  /// The values of the directives `@cost` and `@listSize` at one definition of the schema
  /// (https://ibm.github.io/graphql-specs/cost-spec.html).
  ///
  /// The words of the table are a weight, `by:` with the slicing arguments and their defaults, `size:` with the
  /// assumed size, and `of:` with the sized fields.
  package struct StatedCost: Sendable, Hashable {
    package struct SlicingArgument: Sendable, Hashable {
      /// The name; with the names of fields of input objects after it: `["filter", "first"]`.
      package let path: [String]
      package let defaultValue: Double?
    }

    package private(set) var weight: Double?
    package private(set) var slicingArguments: [SlicingArgument] = []
    package private(set) var assumedSize: Double?
    package private(set) var sizedFields: [String] = []

    /// Whether the definition has `@listSize`.
    package var statesSize: Bool { assumedSize != nil || !slicingArguments.isEmpty }

    init(_ words: [String]) {
      for word in words {
        let parts = word.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let text = parts.last else {
          weight = Double(word)
          continue
        }
        switch parts.first {
        case "by": slicingArguments = text.split(separator: ",").map(SlicingArgument.init)
        case "size": assumedSize = Double(text)
        case "of": sizedFields = text.split(separator: ",").map(String.init)
        default: break
        }
      }
    }
  }
}

extension GraphQL.StatedCost.SlicingArgument {
  fileprivate init(_ text: Substring) {
    let parts = text.split(separator: "=", maxSplits: 1)
    path = (parts.first ?? "").split(separator: ".").map(String.init)
    defaultValue = parts.count == 2 ? Double(parts[1]) : nil
  }
}

extension GraphQL {
  /// An enum of the schema (specification: 3.9 Enums). Generated enums adopt it.
  ///
  /// The raw value is the name in the schema. A text that the schema did not list when the code was generated is
  /// an `unknownValue` with that text, so reading and decoding never fail for a new value, and it is sent
  /// with that text. Two values are equal if their raw values are.
  ///
  /// A generated enum is a list of cases, one string of names and one `switch`. Everything else is here, because
  /// a `String` raw type costs a fifth of the compile time of a large schema.
  public protocol Enum: RawRepresentable, Codable, CaseIterable, Hashable, Sendable, InputValue,
    OutputValue, CustomStringConvertible
  where AllCases == [Self], RawValue == String {
    /// The schema's names in the order of the cases, separated by spaces.
    static var _names: StaticString { get }

    /// The cases that the schema lists. A member of the protocol, since Swift synthesises no `allCases` for an
    /// enum with a payload, and since generated code may read deprecated cases only in a deprecated member.
    static var _cases: [Self] { get }

    /// The position of the value in `_cases`, or -1 for an `unknownValue`, whose text is assigned to `text`.
    func _position(_ text: inout String) -> Int

    /// A value that the schema did not list when the code was generated.
    static func unknownValue(_ text: String) -> Self
  }
}

// Safe: tables live forever, and this one is only used for positions of its own type.
extension GraphQL.Enum {
  /// The cases that the schema lists, including deprecated ones.
  public static var allCases: [Self] { _cases }

  /// The name in the schema, or the text of an `unknownValue`.
  public var rawValue: String {
    var text = ""
    let position = _position(&text)
    if position < 0 { return text }
    return unsafe GraphQL.EnumTable.of(Self.self).pointee.name(at: position)
  }

  /// The case with a name of the schema, `unknownValue` for any other text.
  public init(rawValue: String) {
    let table = unsafe GraphQL.EnumTable.of(Self.self)
    let position = unsafe rawValue.withBytes { unsafe table.pointee.position(of: $0) }
    self =
      if let position { unsafe table.pointee.value(at: position) } else { .unknownValue(rawValue) }
  }

  public var description: String { rawValue }

  public static func == (left: Self, right: Self) -> Bool {
    var text = ""
    let (leftPosition, rightPosition) = (left._position(&text), right._position(&text))
    if leftPosition >= 0, rightPosition >= 0 { return leftPosition == rightPosition }
    return left.rawValue == right.rawValue
  }

  /// A text that is not the name of an enum value (specification: 2.9.6 Enum Value) becomes an
  /// ``InvalidQuery``.
  public func _write(to writer: inout GraphQL.ValueWriter) {
    let name = rawValue
    if GraphQL.Name.isEnumValue(name) {
      writer.enumValue(name)
    } else {
      writer.fail("a value of \(Self.self) whose text is not a GraphQL name cannot be sent")
    }
  }
}

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
      index = NameIndex(names, slotsPerName: 4)
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
  @inline(__always)
  static func of(_ type: any GraphQL.Enum.Type) -> UnsafePointer<GraphQL.EnumTable> {
    let identifier = ObjectIdentifier(type)
    let slot = unsafe GraphQL.EnumTables.slot(identifier)
    // A slot is empty or points to a table that lives forever, so the pointer is valid.
    if let known = unsafe UnsafePointer<GraphQL.EnumTable>(
      bitPattern: treeswift_load_address(slot)), unsafe known.pointee.type == identifier
    {
      return unsafe known
    }
    return unsafe kept(type, slot)
  }

  /// The table of `type`, which is created if it is needed for the first time.
  // Safe: the slot is one of the tables, and a table lives forever.
  @inline(never)
  private static func kept(
    _ type: any GraphQL.Enum.Type, _ slot: UnsafeMutablePointer<UInt>
  ) -> UnsafePointer<GraphQL.EnumTable> {
    let identifier = ObjectIdentifier(type)
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
