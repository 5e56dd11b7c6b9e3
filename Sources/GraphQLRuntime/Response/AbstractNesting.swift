import GraphJSON

extension GraphQL {
  /// Reads objects whose class depends on the object, in any nesting of optionals and lists.
  ///
  /// A protocol cannot conform to ``OutputValue`` itself, so the nesting is found at run time.
  enum AbstractNesting {
    static func read<Value>(
      _ type: Value.Type, _ reader: ValueReader, type abstract: TypeInfo?
    ) -> Value {
      if let layer = type as? any NestingLayer.Type {
        return layer.readNested(reader, type: abstract) as! Value
      }
      return object(reader, type: abstract) as! Value
    }

    static func placeholder<Value>(
      of type: Value.Type, type abstract: TypeInfo?, context: ProbeContext
    ) -> Value {
      if let layer = type as? any NestingLayer.Type {
        return layer.nestedPlaceholder(type: abstract, context: context) as! Value
      }
      return responseClass(abstract, in: context.schema).init(_handle: context.handle) as! Value
    }

    static func same(_ left: Any, _ right: Any) -> Bool {
      if let left = left as? AbstractResponse, let right = right as? AbstractResponse {
        return left === right
      }
      if let left = left as? [Any], let right = right as? [Any] {
        return left.count == right.count && zip(left, right).allSatisfy { same($0, $1) }
      }
      return false
    }

    /// The object at the reader's place, of the class that its `__typename` asks for.
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

  /// Optional or Array, seen from a type that is only known at run time.
  protocol NestingLayer {
    static func readNested(_ reader: ValueReader, type: TypeInfo?) -> Self
    static func nestedPlaceholder(type: TypeInfo?, context: ProbeContext) -> Self
  }
}

extension Optional: GraphQL.NestingLayer {
  static func readNested(_ reader: GraphQL.ValueReader, type: GraphQL.TypeInfo?) -> Wrapped? {
    reader.isNull ? nil : GraphQL.AbstractNesting.read(Wrapped.self, reader, type: type)
  }

  static func nestedPlaceholder(
    type: GraphQL.TypeInfo?, context: GraphQL.ProbeContext
  ) -> Wrapped? {
    GraphQL.AbstractNesting.placeholder(of: Wrapped.self, type: type, context: context)
  }
}

extension Array: GraphQL.NestingLayer {
  static func readNested(_ reader: GraphQL.ValueReader, type: GraphQL.TypeInfo?) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(reader.json.count(at: reader.index))
    var position = reader.json.firstChild(of: reader.index)
    let end = reader.json.end(of: reader.index)
    while position < end {
      elements.append(
        GraphQL.AbstractNesting.read(Element.self, reader.at(position), type: type))
      position = reader.json.next(after: position)
    }
    return elements
  }

  static func nestedPlaceholder(
    type: GraphQL.TypeInfo?, context: GraphQL.ProbeContext
  ) -> [Element] {
    let element = GraphQL.AbstractNesting.placeholder(
      of: Element.self, type: type, context: context)
    return Array(repeating: element, count: GraphQL.ProbeContext.elementCount)
  }
}

extension GraphQL.ValueReader {
  /// The object's type where the field's type is `type`; nil for a type that the schema does not
  /// list there.
  func concreteType(of type: GraphQL.TypeInfo) -> GraphQL.TypeInfo? {
    guard type.isAbstract else { return type }
    guard let schema = document.schema, let position = json.member("__typename", of: index),
      json.kind(at: position) == .string,
      let concrete = schema.type(named: json.string(at: position)), concrete.kind == .object,
      schema.applies(type.name, to: concrete)
    else { return nil }
    return concrete
  }
}
