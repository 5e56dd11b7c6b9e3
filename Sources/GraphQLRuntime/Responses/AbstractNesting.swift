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
