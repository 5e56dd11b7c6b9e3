import GraphJSON

extension GraphQL {
  /// An entry of `errors` (specification: 7.1.2 Errors), or the same for an operation that was not
  /// sent. It is for developers, not for display.
  public struct ResponseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A position in the document's text.
    public struct Location: Hashable, Sendable {
      /// From 1.
      public let line: Int
      /// From 1.
      public let column: Int
    }

    /// A description of the error for developers.
    public let message: String
    /// Positions in the document.
    public let locations: [Location]
    /// The field in `data` to which the error belongs.
    public let path: [ResponsePathElement]
    /// Additional information from the server, such as a code.
    public let extensions: JSON?

    /// An error of a field, or of an operation if the path is empty.
    public init(
      message: String, locations: [Location] = [], path: [ResponsePathElement] = [],
      extensions: JSON? = nil
    ) {
      self.message = message
      self.locations = locations
      self.path = path
      self.extensions = extensions
    }

    /// `extensions.code`, by which servers distinguish errors; nil if it is not a string.
    public var code: String? {
      if case .string(let code)? = extensions?["code"] { code } else { nil }
    }

    public var description: String {
      path.isEmpty ? message : "\(path.text): \(message)"
    }
  }
}

extension GraphQL {
  /// A step of a response path (specification: 7.1.2 Errors, `path`).
  public enum ResponsePathElement: Hashable, Sendable, CustomStringConvertible {
    /// A response name: the field's alias, or its name.
    case key(String)
    /// A position in a list, from 0.
    case index(Int)

    public var description: String {
      switch self {
      case .key(let key): key
      case .index(let index): "\(index)"
      }
    }
  }
}

extension [GraphQL.ResponsePathElement] {
  /// `products.nodes[0].title`.
  var text: String {
    reduce(into: "") { text, element in
      switch element {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .index(let index): text += "[\(index)]"
      }
    }
  }
}

extension JSONDocument {
  /// The element at a position in the array at `array`.
  func element(_ position: Int, of array: Int) -> Int {
    var element = firstChild(of: array)
    for _ in 0..<position { element = next(after: element) }
    return element
  }

  /// The path from the value at `root` to the one at `target`, found by searching; for messages.
  func path(to target: Int, from root: Int) -> [GraphQL.ResponsePathElement] {
    var path: [GraphQL.ResponsePathElement] = []
    var container = root
    while container < target {
      let isObject = kind(at: container) == .object
      guard isObject || kind(at: container) == .array else { break }
      var position = firstChild(of: container)
      var ordinal = 0
      let end = end(of: container)
      while position < end {
        let value = isObject ? next(after: position) : position
        if target < next(after: value) {
          path.append(isObject ? .key(string(at: position)) : .index(ordinal))
          container = value
          break
        }
        position = next(after: value)
        ordinal += 1
      }
      if position >= end { break }
    }
    return path
  }
}

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
