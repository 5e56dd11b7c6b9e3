import GraphJSON

// The functions that the accessors of generated classes call for objects, interfaces and unions.
extension GraphQL.AbstractResponse {
  // Safe: `object` creates an instance of the class that it receives.
  public final func _one<Object: GraphQL.AbstractResponse>(
    _ name: StaticString, _ alias: String? = nil
  ) -> Object {
    if let index = _find(name, alias), let object = object(Object.self, index) {
      return unsafe unsafeDowncast(object, to: Object.self)
    }
    return missing(name, alias)
  }

  // Safe: `object` creates an instance of the class that it receives; the index is that of a value.
  public final func _oneOpt<Object: GraphQL.AbstractResponse>(
    _ name: StaticString, _ alias: String? = nil
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
  public final func _list<Object: GraphQL.AbstractResponse>(
    _ name: StaticString, _ alias: String? = nil
  ) -> [Object] {
    guard let list = _find(name, alias), let objects = objects(Object.self, list) else {
      return missing(name, alias)
    }
    return unsafe unsafeBitCast(objects, to: [Object].self)
  }

  /// The object at a position, of the class `type`. Not generic, like ``objects(_:_:)``: most of
  /// the time of reading objects was the lookup of metadata of generic types.
  // Safe: the index is that of a value in the document, which is kept alive.
  private final func object(
    _ type: GraphQL.AbstractResponse.Type, _ index: Int
  ) -> GraphQL.AbstractResponse? {
    let document = document
    guard document.isDirect else { return type._read(reader(index)) }
    guard unsafe document.tape.kind(at: index) == .object else { return nil }
    return type.init(_handle: GraphQL.ResponseHandle(document: document, index: index))
  }

  // Safe: the list has `count` elements, and so has the memory; each is written once, in order.
  private final func objects(
    _ type: GraphQL.AbstractResponse.Type, _ list: Int
  ) -> [GraphQL.AbstractResponse]? {
    // A constant, and its handles are not stored, so that each object retains one reference instead
    // of three: a tenth of the time of reading a list.
    let document = document
    let tape = unsafe document.tape
    guard unsafe tape.kind(at: list) == .array else { return nil }
    let count = unsafe tape.count(at: list)
    let objects = unsafe [GraphQL.AbstractResponse](unsafeUninitializedCapacity: count) {
      memory, made in
      var position = list &+ 2
      if document.isDirect {
        while made < count, unsafe tape.kind(at: position) == .object {
          unsafe (memory.baseAddress.unsafelyUnwrapped + made).initialize(
            to: type.init(_handle: GraphQL.ResponseHandle(document: document, index: position)))
          made &+= 1
          position = unsafe tape.end(of: position)
        }
      } else {
        while made < count, let object = type._read(reader(position)) {
          unsafe (memory.baseAddress.unsafelyUnwrapped + made).initialize(to: object)
          made &+= 1
          position = unsafe tape.next(after: position)
        }
      }
    }
    return objects.count == count ? objects : nil
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
