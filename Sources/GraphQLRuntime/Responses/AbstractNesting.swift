import Foundation
import GraphJSON

extension GraphQL {
  /// Reads objects whose class depends on the object, in any nesting of optionals and lists.
  ///
  /// A protocol cannot conform to ``OutputValue`` itself, so the nesting is found at run time.
  enum AbstractNesting {
    /// The value at the reader's position; nil if the value has another form.
    static func read<Value>(
      _ type: Value.Type, _ reader: ValueReader, type abstract: TypeInfo?
    ) -> Value? {
      if let layer = type as? any NestingLayer.Type {
        return layer.readNested(reader, type: abstract) as? Value
      }
      return readObject(type, reader, type: abstract)
    }

    /// The elements of a list; nil if the value is not a list of such values.
    static func readList<Element>(
      of type: Element.Type, _ reader: ValueReader, type abstract: TypeInfo?
    ) -> [Element]? {
      let json = reader.json
      guard json.kind(at: reader.index) == .array else { return nil }
      // Determined once instead of for every element, since it takes longer than an element.
      let layer = type as? any NestingLayer.Type
      var elements: [Element] = []
      elements.reserveCapacity(json.count(at: reader.index))
      var position = json.firstChild(of: reader.index)
      let end = json.end(of: reader.index)
      while position < end {
        let element: Element? =
          if let layer {
            layer.readNested(reader.at(position), type: abstract) as? Element
          } else {
            readObject(type, reader.at(position), type: abstract)
          }
        guard let element else { return nil }
        elements.append(element)
        position = json.next(after: position)
      }
      return elements
    }

    static func readObject<Value>(
      _ type: Value.Type, _ reader: ValueReader, type abstract: TypeInfo?
    ) -> Value? {
      guard reader.json.kind(at: reader.index) == .object else { return nil }
      return object(reader, type: abstract) as? Value
    }

    static func placeholder<Value>(
      of type: Value.Type, type abstract: TypeInfo?, context: ProbeContext
    ) -> Value {
      if let layer = type as? any NestingLayer.Type {
        return layer.nestedPlaceholder(type: abstract, context: context) as! Value
      }
      return responseClass(abstract, in: context.schema).init(_handle: context.handle) as! Value
    }

    static func same<Value>(_ left: Value, _ right: Value) -> Bool {
      if let left = left as? any NestingLayer { return left.isSame(as: right) }
      return left as AnyObject === right as AnyObject
    }

    /// The object at the reader's position, of the class for its `__typename`.
    static func object(_ reader: ValueReader, type: TypeInfo?) -> AbstractResponse {
      let reader = reader.followed
      let schema = reader.document.schema
      let concrete = type.flatMap { reader.concreteType(of: $0) }
      return responseClass(concrete ?? type, in: schema).init(
        _handle: ResponseHandle(document: reader.document, index: reader.index))
    }

    private static func responseClass(
      _ type: TypeInfo?, in schema: SchemaTable?
    ) -> AbstractResponse.Type {
      type.flatMap { schema?.responseClass(of: $0) } ?? AbstractResponse.self
    }
  }

  /// Optional or Array, as a type that is only known at run time.
  protocol NestingLayer {
    static func readNested(_ reader: ValueReader, type: TypeInfo?) -> Self?
    static func nestedPlaceholder(type: TypeInfo?, context: ProbeContext) -> Self
    func isSame(as other: Any) -> Bool
  }
}

extension Optional: GraphQL.NestingLayer {
  static func readNested(_ reader: GraphQL.ValueReader, type: GraphQL.TypeInfo?) -> Wrapped?? {
    if reader.isNull { return .some(nil) }
    return GraphQL.AbstractNesting.read(Wrapped.self, reader, type: type).map(Optional.some)
  }

  static func nestedPlaceholder(
    type: GraphQL.TypeInfo?, context: GraphQL.ProbeContext
  ) -> Wrapped? {
    GraphQL.AbstractNesting.placeholder(of: Wrapped.self, type: type, context: context)
  }

  func isSame(as other: Any) -> Bool {
    guard let self, let other = other as? Wrapped else { return false }
    return GraphQL.AbstractNesting.same(self, other)
  }
}

extension Array: GraphQL.NestingLayer {
  static func readNested(_ reader: GraphQL.ValueReader, type: GraphQL.TypeInfo?) -> [Element]? {
    GraphQL.AbstractNesting.readList(of: Element.self, reader, type: type)
  }

  static func nestedPlaceholder(
    type: GraphQL.TypeInfo?, context: GraphQL.ProbeContext
  ) -> [Element] {
    let element = GraphQL.AbstractNesting.placeholder(
      of: Element.self, type: type, context: context)
    return Array(repeating: element, count: GraphQL.ProbeContext.elementCount)
  }

  func isSame(as other: Any) -> Bool { (other as? [Element]).map(isSameStorage) ?? false }
}

extension GraphQL.ValueReader {
  /// The object's type if the field's type is `type`; nil for a type that the schema does not list
  /// there.
  func concreteType(of type: GraphQL.TypeInfo) -> GraphQL.TypeInfo? {
    guard type.isAbstract else { return type }
    return document.schema?.concreteType(of: type, at: index, in: json)
  }
}

extension GraphQL.SchemaTable {
  /// The type of the object at `index` in a field of the type `type`; nil for one that the schema
  /// does not list there.
  func concreteType(
    of type: GraphQL.TypeInfo, at index: Int, in json: JSONDocument
  ) -> GraphQL.TypeInfo? {
    guard type.isAbstract else { return type }
    guard let position = json.member("__typename", of: index), json.kind(at: position) == .string,
      let concrete = self.type(named: json.string(at: position)), concrete.kind == .object,
      applies(type.name, to: concrete)
    else { return nil }
    return concrete
  }
}

extension GraphQL.AbstractResponse {
  /// The value under a response name, without checks by the compiler; nil for null and for a field
  /// that the response does not have.
  ///
  /// A string, an `Int`, `Double` or `Bool`, a ``GraphQL/ID``, the text of an enum, the Swift
  /// type of a custom scalar, an ``GraphQL/AbstractResponse`` of the generated class, or an array
  /// of such values with `NSNull` for null. Without a schema, the type follows from the JSON.
  public final func field(_ responseName: String) -> Any? {
    guard let index = document.json.member(responseName, of: index),
      !document.json.isNull(at: index)
    else { return nil }
    return GraphQL.RawValue(schema: document.schema)
      .value(reader(index), typeInfo?.field(named: responseName))
  }

  /// Creates an object from fields: for previews, tests and values from other sources.
  ///
  /// - Parameter fields: response names and values: results of ``field(_:)`` and
  ///   `JSONSerialization`, and all values that can be sent as arguments; at most 128 levels deep.
  /// - Throws: ``GraphQL/SchemaViolation`` for a field that the type does not have, for a value of
  ///   another type, and for a value that is not JSON.
  public convenience init(fields: [String: Any]) throws(GraphQL.SchemaViolation) {
    var writer = GraphQL.FieldsWriter(
      typeName: Self.schema?.type(of: Self.self)?.name ?? "\(Self.self)")
    self.init(
      _handle: try GraphQL.ResponseHandle(checking: try writer.bytes(fields), as: Self.self))
  }
}

extension GraphQL {
  /// Reads values for the raw accessor, using the table if there is one.
  struct RawValue {
    let schema: SchemaTable?

    func value(_ reader: ValueReader, _ field: FieldInfo?) -> Any {
      guard let field else { return untyped(reader) }
      return value(reader, field, field.type.wrapping)
    }

    private func value(_ reader: ValueReader, _ field: FieldInfo, _ wrapping: Wrapping) -> Any {
      if reader.isNull { return NSNull() }
      let nullable = wrapping.outermost == .nonNull ? wrapping.inner : wrapping
      if nullable.outermost == .list, reader.json.kind(at: reader.index) == .array {
        return elements(reader) { value($0, field, nullable.inner) }
      }
      switch field.named {
      case .composite(let position) where reader.json.kind(at: reader.index) == .object:
        return AbstractNesting.object(reader, type: schema?.type(at: position))
      case .int: return Int._read(reader) ?? untyped(reader)
      case .float: return Double._read(reader) ?? untyped(reader)
      case .id: return ID._read(reader) ?? untyped(reader)
      case .scalar(let type?): return scalar(type, reader)
      case .scalar(nil): return reader.json.json(at: reader.index)
      case .string, .boolean, .enumeration, .input, .composite: return untyped(reader)
      }
    }

    private func scalar<Value: Scalar>(_ type: Value.Type, _ reader: ValueReader) -> Any {
      Value._read(reader) ?? untyped(reader)
    }

    private func number(_ reader: ValueReader) -> Any {
      if let integer = Int._read(reader) { return integer }
      if let double = Double._read(reader) { return double }
      return reader.json.numberText(at: reader.index)
    }

    private func elements(_ reader: ValueReader, _ value: (ValueReader) -> Any) -> [Any] {
      var elements: [Any] = []
      var position = reader.json.firstChild(of: reader.index)
      let end = reader.json.end(of: reader.index)
      while position < end {
        elements.append(value(reader.at(position)))
        position = reader.json.next(after: position)
      }
      return elements
    }

    private func untyped(_ reader: ValueReader) -> Any {
      switch reader.json.kind(at: reader.index) {
      case .string: reader.json.string(at: reader.index)
      case .bool: reader.json.bool(at: reader.index)
      case .number: number(reader)
      case .object: AbstractNesting.object(reader, type: nil)
      case .array: elements(reader, untyped)
      case .null: NSNull()
      }
    }
  }
}

/// Objects are coded as JSON by the response names, as they arrived. Numbers keep their value, but not their notation:
/// `1.0` may become `1`.
extension GraphQL.AbstractResponse: Codable {
  /// - Throws: `EncodingError` for an object of a store, which leads to others; use the store's `json(of:key:)`.
  public func encode(to encoder: any Encoder) throws {
    guard document.links == nil else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "an object of a store cannot be encoded; use the store's json(of:key:)")
      )
    }
    try document.json.json(at: index).encode(to: encoder)
  }
}

// An initialiser of the class would be one that every subclass with initialisers has to repeat.
extension GraphQL.ResponseReading {
  /// Decodes the object and checks it against the schema. Any field may be missing.
  ///
  /// - Throws: `DecodingError`, with a ``GraphQL/SchemaViolation``, for a field that the type does not have, and for a
  ///   value of another type.
  public init(from decoder: any Decoder) throws {
    let json = try JSON(from: decoder)
    do throws(GraphQL.SchemaViolation) {
      try self.init(responseJSON: json)
    } catch {
      throw DecodingError.dataCorrupted(error, in: decoder)
    }
  }
}

extension GraphQL.ResponseReading {
  /// An object with values by response names.
  package init(responseJSON json: JSON) throws(GraphQL.SchemaViolation) {
    self.init(_handle: try GraphQL.ResponseHandle(checking: json, as: Self.self))
  }
}

extension GraphQL.ResponseHandle {
  /// An object that was created from JSON, after a check against the schema.
  init(
    checking json: JSON, as type: GraphQL.AbstractResponse.Type
  ) throws(GraphQL.SchemaViolation) {
    try self.init(checking: Array(json.description.utf8), as: type)
  }

  /// An object that was created from a text, after a check against the schema.
  init(
    checking bytes: [UInt8], as type: GraphQL.AbstractResponse.Type
  ) throws(GraphQL.SchemaViolation) {
    let info = type.schema?.type(of: type)
    func violation(_ message: String) -> GraphQL.SchemaViolation {
      GraphQL.SchemaViolation(
        typeName: info?.name ?? "\(type)", fieldName: "", path: [], message: message)
    }
    let json: JSONDocument
    do throws(JSONError) { json = try JSONDocument(parsing: bytes) } catch {
      throw violation("\(error)")
    }
    let root = JSONDocument.rootIndex
    guard json.kind(at: root) == .object else {
      throw violation("expected an object, found \(json.kind(at: root).noun)")
    }
    if let schema = type.schema, let info {
      var checker = GraphQL.FieldsChecker(json, schema: schema)
      try checker.check(root, type: info)
    }
    self.init(
      document: GraphQL.ResponseDocument(
        GraphQL.ParsedSource(json: json, root: root, operation: nil), schema: type.schema),
      index: root)
  }
}

/// Two objects are equal if they are read as the same class and have the same JSON: the selected fields under their
/// response names, in any order. Errors and the operation do not count.
///
/// Objects of one response are compared by their place first, others by their bytes, so comparing a large response
/// with an equal one takes as long as reading its text once. Values are compared as they arrived: `1` and `1.0`
/// differ, and two texts of one date. An object of a store has all stored fields, and an object to which it leads
/// is compared by its key.
extension GraphQL.AbstractResponse: Hashable {
  public static func == (left: GraphQL.AbstractResponse, right: GraphQL.AbstractResponse) -> Bool {
    guard type(of: left) == type(of: right) else { return false }
    let (mine, theirs) = (left.document, right.document)
    if mine === theirs, left.index == right.index { return true }
    return mine.json.hasSameContent(at: left.index, as: theirs.json, at: right.index)
  }

  /// Hashes the values of the object itself, not those of objects and lists in it.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: self)))
    document.json.hashContent(at: index, into: &hasher)
  }
}

extension GraphQL.AbstractResponse: CustomReflectable {
  /// No children: the object is shown by its JSON. The properties lead to plans and caches that other threads change
  /// while a mirror reads them.
  public final var customMirror: Mirror {
    Mirror(self, children: [], displayStyle: .class, ancestorRepresentation: .suppressed)
  }
}
