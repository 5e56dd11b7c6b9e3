import GraphJSON

extension GraphQL {
  /// The fields that a key path of generated accessors reads: `\.price.amount` is `price.amount`.
  ///
  /// Swift cannot inspect a key path, so it is applied to a probe whose fields record that they are
  /// read. Anything other than a chain of fields down to one unchanged value (a computed property
  /// of your own, an index into a list) is ``OpaqueKeyPath``.
  ///
  /// A key path with a list index past 4,095 stops the program, as it would on a real list.
  public struct FieldPath: Hashable, Sendable, CustomStringConvertible {
    /// One field of the path.
    public struct Step: Hashable, Sendable {
      /// The field's name in the schema.
      public let name: String
      /// The `alias:` with which the field was selected, if any.
      public let alias: String?

      /// The key in a response.
      public var responseName: String { alias.map { "\(name)__\($0)" } ?? name }
    }

    /// At least one.
    public let steps: [Step]

    public var description: String { steps.map(\.responseName).joined(separator: ".") }
  }

  /// A key path that is not a chain of generated accessors.
  public struct OpaqueKeyPath: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operation of the key path that is not a field.
    public let reason: String

    public var description: String {
      "the key path is not a path of fields: \(reason); use a chain of generated properties"
    }
  }
}

extension GraphQL {
  /// Records which fields are read while a key path is applied to a probe of a response.
  final class Probe: Sendable {
    /// Two runs with different placeholders distinguish a read value from a computed one.
    enum Variant: Sendable {
      case first, second
    }

    struct Read: Sendable {
      /// The node on which the field was read.
      let parent: Int
      let step: FieldPath.Step
      /// Whether a value is the placeholder that this read returned.
      let isPlaceholder: @Sendable (Any) -> Bool
      let valueType: Any.Type
    }

    let schema: SchemaTable?
    let variant: Variant
    private let reads = Locked<[Read]>([])

    init(schema: SchemaTable?, variant: Variant) {
      self.schema = schema
      self.variant = variant
    }

    /// Removes the recorded reads. Otherwise they would keep the probe alive forever: they
    /// reference the placeholders, and a placeholder that is an object references the probe.
    func takeLog() -> [Read] {
      reads.withLock { reads in
        defer { reads = [] }
        return reads
      }
    }

    /// Records a read and returns its number, which is the node that it leads to.
    fileprivate func note(_ read: Read) {
      reads.withLock { $0.append(read) }
    }

    fileprivate var nextNode: Int { reads.withLock { $0.count + 1 } }

    /// A document without fields whose reads are recorded.
    func document(node: Int) -> ResponseDocument {
      ResponseDocument(ProbeSource(recorder: self, node: node), schema: schema)
    }
  }

  /// One object of a probe: the root is 0, the others are numbered as they are read.
  struct ProbeSource: ResponseSource {
    let recorder: Probe
    let node: Int

    /// An object without fields.
    var json: JSONDocument { Self.empty }
    var probe: ProbeSource? { self }

    private static let empty: JSONDocument = {
      do { return try JSONDocument(parsing: "{}") } catch { preconditionFailure("\(error)") }
    }()

    func read<Value>(
      _ name: String, _ alias: String?, _ placeholder: (ProbeContext) -> Value,
      _ same: @escaping @Sendable (Value, Value) -> Bool
    ) -> Value {
      let value = placeholder(ProbeContext(probe: recorder, node: recorder.nextNode))
      let kept = UncheckedValue(value)
      recorder.note(
        Probe.Read(
          parent: node, step: FieldPath.Step(name: name, alias: alias),
          isPlaceholder: { ($0 as? Value).map { same($0, kept.value) } ?? false },
          valueType: Value.self))
      return value
    }
  }

  /// A placeholder.
  // Safe: it is only used for comparisons, on the task that made it.
  private struct UncheckedValue<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  /// The values with which a type creates a placeholder.
  public struct ProbeContext: Sendable {
    /// How many elements a placeholder list has, so that a key path with a list index finds one.
    static let elementCount = 4096

    let probe: Probe
    /// The node that the field leads to.
    let node: Int

    var schema: SchemaTable? { probe.schema }

    var handle: ResponseHandle {
      ResponseHandle(document: probe.document(node: node), index: JSONDocument.rootIndex)
    }

    /// A different value in each of the two runs.
    public func pick<Value>(_ first: @autoclosure () -> Value, _ second: @autoclosure () -> Value)
      -> Value
    {
      probe.variant == .first ? first() : second()
    }
  }
}
