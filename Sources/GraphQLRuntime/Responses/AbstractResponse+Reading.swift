import GraphJSON

// The functions that the accessors of generated classes call for objects, interfaces and unions. They read a field that
// follows the one that was read last, in a direct document, and call a function for any other as their last step.
// So those of numbers and Boolean values call nothing before, and save no registers, which took as long as finding and
// reading a Boolean value.
extension GraphQL.AbstractResponse {
  // Safe: the position is that of a value in the document; the class creates an instance of itself.
  public final func _one<Object: GraphQL.AbstractResponse>(
    _ name: StaticString, _ alias: String? = nil
  ) -> Object {
    if let value = findNext(name, alias), let object = directObject(Object.self, value) {
      return unsafe unsafeDowncast(object, to: Object.self)
    }
    return searchedObject(name, alias)
  }

  // Safe: the position is that of a value in the document; the class creates an instance of itself.
  public final func _oneOpt<Object: GraphQL.AbstractResponse>(
    _ name: StaticString, _ alias: String? = nil
  ) -> Object? {
    if let value = findNext(name, alias) {
      if let object = directObject(Object.self, value) {
        return unsafe unsafeDowncast(object, to: Object.self)
      }
      if isNextNull(value) { return nil }
    }
    return searchedObjectOpt(name, alias)
  }

  // Safe: the class has made all elements, and all arrays of objects are of one form.
  public final func _list<Object: GraphQL.AbstractResponse>(
    _ name: StaticString, _ alias: String? = nil
  ) -> [Object] {
    if let list = findNext(name, alias), let objects = directObjects(Object.self, list) {
      return unsafe unsafeBitCast(objects, to: [Object].self)
    }
    return searchedList(name, alias)
  }

  /// The object at a position of a direct document, of the class `type`. Like ``directObjects(_:_:)``, it is not generic:
  /// most of the time of reading objects was the lookup of metadata of generic types.
  // Safe: the position is that of a value in the document, which is kept alive.
  @inline(__always)
  private final func directObject(
    _ type: GraphQL.AbstractResponse.Type, _ value: Int
  ) -> GraphQL.AbstractResponse? {
    let document = document
    let tape = unsafe document.directTape
    guard unsafe tape.kind(at: value) == .object else { return nil }
    didRead(upTo: unsafe tape.end(of: value))
    return type.init(_handle: GraphQL.ResponseHandle(document: document, index: value))
  }

  // Safe: the position is that of a value in the document.
  @inline(__always)
  private final func isNextNull(_ value: Int) -> Bool {
    guard unsafe document.directTape.kind(at: value) == .null else { return false }
    didRead(upTo: value &+ 1)
    return true
  }

  // Safe: the list has `count` elements, and so has the memory; each is written once, in order.
  private final func directObjects(
    _ type: GraphQL.AbstractResponse.Type, _ list: Int
  ) -> [GraphQL.AbstractResponse]? {
    // A constant, and its handles are not stored, so that each object retains one reference instead of three: a tenth
    // of the time of reading a list.
    let document = document
    let tape = unsafe document.directTape
    guard unsafe tape.kind(at: list) == .array else { return nil }
    didRead(upTo: unsafe tape.end(of: list))
    let count = unsafe tape.count(at: list)
    let objects = unsafe [GraphQL.AbstractResponse](unsafeUninitializedCapacity: count) {
      memory, made in
      var position = list &+ 2
      while made < count, unsafe tape.kind(at: position) == .object {
        unsafe (memory.baseAddress.unsafelyUnwrapped + made).initialize(
          to: type.init(_handle: GraphQL.ResponseHandle(document: document, index: position)))
        made &+= 1
        position = unsafe tape.end(of: position)
      }
    }
    return objects.count == count ? objects : nil
  }

  // Safe: `object` creates an instance of the class that it receives.
  @inline(never)
  private final func searchedObject<Object: GraphQL.AbstractResponse>(
    _ name: StaticString, _ alias: String?
  ) -> Object {
    if let index = _find(name, alias), let object = object(Object.self, index) {
      return unsafe unsafeDowncast(object, to: Object.self)
    }
    return missing(name, alias)
  }

  // Safe: `object` creates an instance of the class that it receives; the index is that of a value.
  @inline(never)
  private final func searchedObjectOpt<Object: GraphQL.AbstractResponse>(
    _ name: StaticString, _ alias: String?
  ) -> Object? {
    if let index = _find(name, alias) {
      if unsafe document.tape.kind(at: index) == .null { return nil }
      if let object = object(Object.self, index) {
        return unsafe unsafeDowncast(object, to: Object.self)
      }
    }
    return missing(name, alias)
  }

  // Safe: the class has made all elements, and all arrays of objects are of one form.
  @inline(never)
  private final func searchedList<Object: GraphQL.AbstractResponse>(
    _ name: StaticString, _ alias: String?
  ) -> [Object] {
    guard let list = _find(name, alias), let objects = objects(Object.self, list) else {
      return missing(name, alias)
    }
    return unsafe unsafeBitCast(objects, to: [Object].self)
  }

  /// The object at a position, of the class `type`.
  private final func object(
    _ type: GraphQL.AbstractResponse.Type, _ index: Int
  ) -> GraphQL.AbstractResponse? {
    document.isDirect ? directObject(type, index) : type._read(reader(index))
  }

  // Safe: the positions are those of values in the document, which is kept alive.
  private final func objects(
    _ type: GraphQL.AbstractResponse.Type, _ list: Int
  ) -> [GraphQL.AbstractResponse]? {
    if document.isDirect { return directObjects(type, list) }
    let tape = unsafe document.tape
    guard unsafe tape.kind(at: list) == .array else { return nil }
    let count = unsafe tape.count(at: list)
    var objects: [GraphQL.AbstractResponse] = []
    objects.reserveCapacity(count)
    var position = list &+ 2
    for _ in 0..<count {
      guard let object = type._read(reader(position)) else { return nil }
      objects.append(object)
      position = unsafe tape.next(after: position)
    }
    return objects
  }

  /// An object of an abstract type; `Object` is the protocol for that type.
  public final func _any<Object>(_ name: StaticString, _ alias: String? = nil) -> Object {
    abstract(name, alias) { GraphQL.AbstractNesting.readObject(Object.self, $0, type: $1) }
  }

  /// An object of an abstract type, or nil.
  public final func _anyOpt<Object>(_ name: StaticString, _ alias: String? = nil) -> Object? {
    abstract(name, alias) { reader, type -> Object?? in
      if reader.isNull { return .some(nil) }
      return GraphQL.AbstractNesting.readObject(Object.self, reader, type: type)
        .map(Optional.some)
    }
  }

  /// Objects of an abstract type.
  public final func _anyList<Object>(_ name: StaticString, _ alias: String? = nil) -> [Object] {
    abstract(name, alias) { GraphQL.AbstractNesting.readList(of: Object.self, $0, type: $1) }
  }

  /// Objects of an abstract type in any nesting of optionals and lists.
  public final func _anys<Value>(_ name: StaticString, _ alias: String? = nil) -> Value {
    abstract(name, alias) { GraphQL.AbstractNesting.read(Value.self, $0, type: $1) }
  }

  private final func abstract<Value>(
    _ name: StaticString, _ alias: String?,
    _ read: (GraphQL.ValueReader, GraphQL.TypeInfo?) -> Value?
  ) -> Value {
    let type = abstractType(of: "\(name)")
    if let index = _find(name, alias), let value = read(reader(index), type) { return value }
    return missing(name, alias) { context in
      GraphQL.AbstractNesting.placeholder(of: Value.self, type: type, context: context)
    } same: {
      GraphQL.AbstractNesting.same($0, $1)
    }
  }

  /// The field's type in the table of this object's own type, which may be narrower than the
  /// interface's.
  private final func abstractType(of field: String) -> GraphQL.TypeInfo? {
    typeInfo?.field(field).flatMap { document.schema?.type(of: $0) }
  }
}

extension GraphQL.AbstractResponse: GraphQL.OutputValue {
  // Safe: the reader’s index is that of a value in its document.
  public static func _read(_ reader: GraphQL.ValueReader) -> Self? {
    let reader = reader.followed(as: Self.self)
    guard let reader, unsafe reader.tape.kind(at: reader.index) == .object else { return nil }
    return Self(
      _handle: GraphQL.ResponseHandle(document: reader.document, index: reader.index))
  }

  public static func _placeholder(_ context: GraphQL.ProbeContext) -> Self {
    Self(_handle: context.handle)
  }

  public static func _same(
    _ left: GraphQL.AbstractResponse, _ right: GraphQL.AbstractResponse
  ) -> Bool {
    left === right
  }
}

// The functions that the accessors of generated classes call for scalars, enums and lists of them; see those for
// objects.
// Safe: the position is that of a value in the document, which is kept alive.
extension GraphQL.AbstractResponse {
  public final func _string(_ name: StaticString, _ alias: String? = nil) -> String {
    if let index = findNext(name, alias), let value = nextString(index) { return value }
    return searched(name, alias)
  }

  public final func _stringOpt(_ name: StaticString, _ alias: String? = nil) -> String? {
    if let index = findNext(name, alias) {
      if isNextNull(index) { return nil }
      if let value = nextString(index) { return value }
    }
    return searched(name, alias)
  }

  public final func _int(_ name: StaticString, _ alias: String? = nil) -> Int {
    if let index = findNext(name, alias),
      let value = unsafe document.directTape.plainInteger(at: index)
    {
      didRead(upTo: index &+ 1)
      return Int(value)
    }
    return searched(name, alias)
  }

  public final func _intOpt(_ name: StaticString, _ alias: String? = nil) -> Int? {
    if let index = findNext(name, alias) {
      if isNextNull(index) { return nil }
      if let value = unsafe document.directTape.plainInteger(at: index) {
        didRead(upTo: index &+ 1)
        return Int(value)
      }
    }
    return searched(name, alias)
  }

  public final func _double(_ name: StaticString, _ alias: String? = nil) -> Double {
    if let index = findNext(name, alias),
      let value = unsafe document.directTape.plainDouble(at: index)
    {
      didRead(upTo: index &+ 1)
      return value
    }
    return searched(name, alias)
  }

  public final func _doubleOpt(_ name: StaticString, _ alias: String? = nil) -> Double? {
    if let index = findNext(name, alias) {
      if isNextNull(index) { return nil }
      if let value = unsafe document.directTape.plainDouble(at: index) {
        didRead(upTo: index &+ 1)
        return value
      }
    }
    return searched(name, alias)
  }

  public final func _bool(_ name: StaticString, _ alias: String? = nil) -> Bool {
    if let index = findNext(name, alias), let value = unsafe document.directTape.bool(at: index) {
      didRead(upTo: index &+ 1)
      return value
    }
    return searched(name, alias)
  }

  public final func _boolOpt(_ name: StaticString, _ alias: String? = nil) -> Bool? {
    if let index = findNext(name, alias) {
      if isNextNull(index) { return nil }
      if let value = unsafe document.directTape.bool(at: index) {
        didRead(upTo: index &+ 1)
        return value
      }
    }
    return searched(name, alias)
  }

  public final func _id(_ name: StaticString, _ alias: String? = nil) -> GraphQL.ID {
    if let index = findNext(name, alias), let value = nextString(index) {
      return GraphQL.ID(rawValue: value)
    }
    return searched(name, alias)
  }

  public final func _idOpt(_ name: StaticString, _ alias: String? = nil) -> GraphQL.ID? {
    if let index = findNext(name, alias) {
      if isNextNull(index) { return nil }
      if let value = nextString(index) { return GraphQL.ID(rawValue: value) }
    }
    return searched(name, alias)
  }

  /// A value of any output type: enums, custom scalars, and optionals and lists of any values.
  public final func _value<Value: GraphQL.OutputValue>(
    _ name: StaticString, _ alias: String? = nil
  ) -> Value {
    if let index = findNext(name, alias) {
      didRead(upTo: unsafe document.directTape.next(after: index))
      do throws(GraphQL.WrongForm) {
        return try Value._require(plainReader(index))
      } catch { return wrongForm(index) }
    }
    return searched(name, alias)
  }

  /// The string at a position that ``findNext(_:_:)`` has found, if it has no escapes.
  @inline(__always)
  private final func nextString(_ index: Int) -> String? {
    let tape = unsafe document.directTape
    guard unsafe tape.isPlainString(at: index) else { return nil }
    didRead(upTo: index &+ 1)
    return unsafe tape.plainString(at: index)
  }

  /// A value of a field that does not follow the one that was read last, or of another document.
  @inline(never)
  private final func searched<Value: GraphQL.OutputValue>(
    _ name: StaticString, _ alias: String?
  ) -> Value {
    do throws(GraphQL.WrongForm) {
      if let index = _find(name, alias) {
        if document.alias == nil { return try Value._require(plainReader(index)) }
        return try Value._require(reader(index))
      }
    } catch {}
    return missing(name, alias)
  }
}

extension GraphQL.AbstractResponse {
  /// The name of the object's type; for a type that the schema does not list, the server's name
  /// (specification: 3.2.2 Type Name Introspection).
  public final var __typename: String {
    if let probe = document.probe {
      return probe.read("__typename", document.alias, String._placeholder) { $0 == $1 }
    }
    if let index = _find("__typename", nil), let name = reader(index).string { return name }
    return typeInfo?.name ?? "\(Self.self)"
  }
}

extension GraphQL {
  /// A field that the response does not have, because the operation did not select it, or left it
  /// out with `@skip` or `@include`.
  public struct MissingField: Error, Hashable, Sendable, CustomStringConvertible {
    /// The object's type.
    public let typeName: String
    /// The field's name in the schema.
    public let fieldName: String
    /// The object's path in `data`.
    public let path: [ResponsePathElement]
    /// Whether the field was selected under `@skip` or `@include`.
    public let isConditional: Bool
    /// The field's `alias:`, if any.
    let alias: String?

    public var description: String {
      let place = path.isEmpty ? "at the root" : "at `\(path.text)`"
      // The name of its method in Swift may differ, and is not known here.
      let field = "`\(fieldName)`" + (alias.map { " with `alias: \"\($0)\"`" } ?? "")
      return isConditional
        ? "\(typeName).\(fieldName) \(place) was left out by @skip or @include; check `has` first"
        : "\(typeName).\(fieldName) \(place) was not selected; select the field \(field) there"
    }
  }
}

extension GraphQL.AbstractResponse {
  /// Handles an accessor whose field is missing, or was not selected and has another type: records
  /// the field for a probe, stops the program otherwise.
  @inline(never)
  final func missing<Value>(
    _ name: StaticString, _ alias: String?, placeholder: (GraphQL.ProbeContext) -> Value,
    same: @escaping @Sendable (Value, Value) -> Bool
  ) -> Value {
    if let probe = document.probe {
      return probe.read("\(name)", alias ?? document.alias, placeholder, same)
    }
    return stop(missingField("\(name)", alias ?? document.alias))
  }

  private final func stop<Value>(_ missing: GraphQL.MissingField) -> Value {
    if missing.isConditional, let absent = GraphQL.absent(Value.self) { return absent }
    fatalError(missing.description)
  }

  /// The same for a value whose type determines the value that a probe finds.
  @inline(never)
  final func missing<Value: GraphQL.OutputValue>(
    _ name: StaticString, _ alias: String?
  ) -> Value {
    missing(name, alias) {
      Value._placeholder($0)
    } same: {
      Value._same($0, $1)
    }
  }

  /// Handles a field of a direct document that was not selected and has another type. The name is that at the position
  /// before the value, since the caller does not keep it.
  @inline(never)
  private final func wrongForm<Value>(_ index: Int) -> Value {
    stop(missingField(document.json.string(at: index - 1), nil))
  }

  final func missingField(_ name: String, _ alias: String?) -> GraphQL.MissingField {
    let responseName = alias.map { "\(name)__\($0)" } ?? name
    let path = document.path(to: index)
    return GraphQL.MissingField(
      typeName: __typename, fieldName: name, path: path,
      isConditional: document.selects(responseName, at: path), alias: alias)
  }
}

extension GraphQL {
  /// Nil for an optional type: the value of a field that `@skip` or `@include` left out.
  fileprivate static func absent<Value>(_ type: Value.Type) -> Value? {
    (type as? any OptionalValue.Type)?.absent as? Value
  }
}
