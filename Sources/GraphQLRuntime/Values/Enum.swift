import GraphJSON
import Synchronization

extension GraphQL {
  /// An enum of the schema (specification: 3.9 Enums). Generated enums adopt it.
  ///
  /// A generated enum is a list of cases and one string of names; everything else is here, because
  /// a `String` raw type costs a fifth of the compile time of a large schema.
  public protocol Enum: CaseIterable, Hashable, Sendable, InputValue, OutputValue,
    CustomStringConvertible
  where AllCases == [Self] {
    /// The schema's names in the order of the cases, separated by spaces, without `unknownValue`.
    static var _names: StaticString { get }

    /// Stands for a value that the schema did not list when the code was generated.
    static var unknownValue: Self { get }
  }
}

extension GraphQL.Enum {
  /// The schema's name of the value; empty for `unknownValue`, whose own text is in the response
  /// (see ``GraphQL/ResponseReading/rawText(_:)``).
  public var rawValue: String { GraphQL.EnumTable.of(Self.self).name(of: self) }

  /// The case with a name of the schema, `unknownValue` for any other text.
  public init(rawValue: String) {
    self = GraphQL.EnumTable.of(Self.self).value(named: rawValue)
  }

  public var description: String { rawValue.isEmpty ? "unknownValue" : rawValue }

  public func _write(to writer: inout GraphQL.ValueWriter) {
    let name = rawValue
    if name.isEmpty {
      writer.fail("\(Self.self).unknownValue cannot be sent")
    } else {
      writer.enumValue(name)
    }
  }
}

extension GraphQL {
  /// Names and cases of one enum type, made once.
  final class EnumTable<Value: Enum>: Sendable {
    private let names: [String]
    /// Positions of the cases by the bits of the case. Keyed by the bits and not by the case, whose
    /// `Hashable` conformance may be what is being initialised.
    private let positions: [Int: Int]
    private let values: [String: Value]

    init() {
      let names = "\(Value._names)".split(separator: " ").map(String.init)
      let cases = Value.allCases
      precondition(
        cases.count == names.count + 1, "\(Value.self): names and cases differ; generate it again")
      self.names = names + [""]
      positions = Dictionary(
        uniqueKeysWithValues: cases.enumerated().map { (Self.bits($1), $0) })
      values = Dictionary(uniqueKeysWithValues: zip(names, cases))
    }

    func name(of value: Value) -> String {
      positions[Self.bits(value)].map { names[$0] } ?? ""
    }

    func value(named name: String) -> Value {
      values[name] ?? .unknownValue
    }

    /// The bytes of a case without payload: one byte up to 256 cases, two or more beyond.
    private static func bits(_ value: Value) -> Int {
      withUnsafeBytes(of: value) { bytes in
        bytes.reduce(0) { $0 << 8 | Int($1) }
      }
    }
  }
}

extension GraphQL.EnumTable {
  /// The table of `type`. Generic types have no stored statics, hence the dictionary.
  static func of(_ type: Value.Type) -> GraphQL.EnumTable<Value> {
    GraphQL.enumTables.withLock { tables in
      if let known = tables[ObjectIdentifier(type)] {
        return unsafeDowncast(known, to: GraphQL.EnumTable<Value>.self)
      }
      let table = GraphQL.EnumTable<Value>()
      tables[ObjectIdentifier(type)] = table
      return table
    }
  }
}

extension GraphQL {
  /// Enum tables by type; an entry's class is `EnumTable` of that type.
  fileprivate static let enumTables = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])
}
