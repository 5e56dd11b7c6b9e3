import GraphJSON

extension IntrospectionReader {
  func range(of node: IntrospectionNode) -> SourceRange {
    let range = node.sourceRange
    return SourceRange(
      source: source, start: UInt32(truncatingIfNeeded: range.lowerBound),
      end: UInt32(truncatingIfNeeded: range.upperBound))
  }

  mutating func report(
    _ message: String, at node: IntrospectionNode, code: String = "introspection",
    suggestion: String? = nil
  ) {
    diagnostics.add(code, message, at: range(of: node), suggestion: suggestion)
  }

  /// The `name` of a node; reported if it has none.
  mutating func name(of node: IntrospectionNode, _ what: String) -> String? {
    if let name = node["name"]?.string { return name }
    report("This \(what) has no name.", at: node["name"] ?? node)
    return nil
  }

  /// A text that may be null or missing.
  mutating func text(_ node: IntrospectionNode, _ key: StaticString) -> String? {
    guard let value = node[key], !value.isNull else { return nil }
    if let text = value.string { return text }
    report("\(quoted("\(key)")) must be a string or null.", at: value, code: "UnreadableText")
    return nil
  }

  /// A list that may be null or missing.
  mutating func elements(of node: IntrospectionNode, _ key: StaticString) -> [IntrospectionNode] {
    guard let value = node[key], !value.isNull else { return [] }
    if let elements = value.array { return elements }
    report("\(quoted("\(key)")) must be a list or null.", at: value)
    return []
  }

  /// Section 4.2.1; the wrappers are handled in a loop, not recursively.
  mutating func typeReference(
    _ owner: IntrospectionNode, _ coordinate: @autoclosure () -> String
  ) -> (TypeReference, SourceRange)? {
    guard let outermost = owner["type"] else {
      report("\(quoted(coordinate())) has no type.", at: owner)
      return nil
    }
    var wrappers: [Wrapper] = []
    var node = outermost
    while let kind = node["kind"], let wrapper = Wrapper(kind) {
      if wrapper == .nonNull, wrappers.last == .nonNull {
        report("A non-null type cannot wrap another non-null type.", at: node)
        return nil
      }
      wrappers.append(wrapper)
      guard wrappers.count <= Document.defaultMaximumDepth else {
        report("The type of \(quoted(coordinate())) is nested too deeply.", at: outermost)
        return nil
      }
      guard let inner = node["ofType"], !inner.isNull else {
        report(
          "The type of \(quoted(coordinate())) is cut off: this \(wrapper.rawValue) has no \"ofType\".",
          at: node, code: ServiceSchema.cutOffTypeCode,
          suggestion:
            "Fetch the schema with an introspection query that selects more levels of \"ofType\".")
        return nil
      }
      node = inner
    }
    guard let name = typeName(node) else { return nil }
    var type = TypeReference.named(name)
    for wrapper in wrappers.reversed() { type = wrapper == .list ? .list(type) : .nonNull(type) }
    return (type, range(of: node["name"] ?? node))
  }

  /// The name in a reference to a named type. A kind that this edition does not know may have none; its
  /// uses are left out later.
  private mutating func typeName(_ node: IntrospectionNode) -> String? {
    guard let kind = kind(of: node) else { return nil }
    if TypeKind(kind) != nil { return name(of: node, "type reference") }
    unknownKinds.references.insert(range(of: node["name"] ?? node).start)
    return node["name"]?.string ?? ""
  }

  /// The `kind` of a node; reported if it has none.
  private mutating func kind(of node: IntrospectionNode) -> IntrospectionNode? {
    if let kind = node["kind"], kind.kind == .string { return kind }
    report("This type has no kind.", at: node["kind"] ?? node)
    return nil
  }

  /// The kind of a named type; an unknown kind is reported (section 4.2.2).
  mutating func knownKind(_ node: IntrospectionNode) -> TypeKind? {
    guard let kindNode = kind(of: node) else { return nil }
    if let kind = TypeKind(kindNode) { return kind }
    let kind = kindNode.string ?? ""
    report(
      "Unknown kind of type \(quoted(kind)).", at: kindNode, code: "UnknownKind",
      suggestion: didYouMean(kind, among: TypeKind.allCases.map(\.rawValue)))
    return nil
  }

  /// A default value, which arrives as GraphQL text (section 4.2.4). If the text is not a value, the
  /// text itself counts as one for a non-null type, which would be required without.
  mutating func defaultValue(
    _ node: IntrospectionNode, of type: TypeReference, _ coordinate: @autoclosure () -> String
  ) -> Document.Value? {
    guard let text = text(node, "defaultValue"), let place = node["defaultValue"] else {
      return nil
    }
    do throws(Diagnostics) {
      let value = try Document.Value(parsing: Source(name: "default value", text: text))
      return value.relocated(to: range(of: place))
    } catch {
      let reason = error.elements.first?.message ?? ""
      report(
        "The default value of \(quoted(coordinate())) is not a GraphQL value: \(reason)", at: place,
        code: "UnreadableDefaultValue")
      return type.isNonNull ? Document.Value(.string(text), range: range(of: place)) : nil
    }
  }

  /// `@deprecated` in introspection's form (section 4.2.3).
  mutating func deprecation(_ node: IntrospectionNode) -> [Document.Directive] {
    let reason = text(node, "deprecationReason")
    // Services without deprecated arguments leave both out; some only have the reason.
    guard node["isDeprecated"]?.bool ?? (reason != nil) else { return [] }
    let place = range(of: node["deprecationReason"] ?? node["isDeprecated"] ?? node)
    guard let reason, reason != defaultDeprecationReason else {
      return [Document.Directive(name: "deprecated", nameRange: place, range: place)]
    }
    return [directive("deprecated", "reason", reason, place)]
  }

  func directive(_ name: String, _ argument: String, _ text: String, _ place: SourceRange)
    -> Document.Directive
  {
    let value = Document.Value(.string(text), range: place)
    return Document.Directive(
      name: name,
      arguments: [Document.Argument(name: argument, value: value, nameRange: place, range: place)],
      nameRange: place, range: place)
  }
}

extension IntrospectionReader {
  /// A kind of type that has no name of its own (section 4.2.2).
  fileprivate enum Wrapper: String {
    case list = "LIST"
    case nonNull = "NON_NULL"

    /// nil for all other kinds.
    init?(_ kind: IntrospectionNode) {
      if kind.isString("NON_NULL") {
        self = .nonNull
      } else if kind.isString("LIST") {
        self = .list
      } else {
        return nil
      }
    }
  }
}

extension TypeKind {
  /// nil for a kind that is not one of named types. Compares bytes: a raw value would create a
  /// string first.
  init?(_ kind: IntrospectionNode) {
    if kind.isString("SCALAR") {
      self = .scalar
    } else if kind.isString("OBJECT") {
      self = .object
    } else if kind.isString("ENUM") {
      self = .enum
    } else if kind.isString("INTERFACE") {
      self = .interface
    } else if kind.isString("INPUT_OBJECT") {
      self = .inputObject
    } else if kind.isString("UNION") {
      self = .union
    } else {
      return nil
    }
  }
}

extension Document.Value {
  /// The value with all of its parts at one position. Limited by its depth.
  fileprivate func relocated(to range: SourceRange) -> Document.Value {
    switch kind {
    case .list(let items):
      return Document.Value(.list(items.map { $0.relocated(to: range) }), range: range)
    case .object(let fields):
      let fields = fields.map {
        Document.ObjectField(
          name: $0.name, value: $0.value.relocated(to: range), nameRange: range, range: range)
      }
      return Document.Value(.object(fields), range: range)
    default: return Document.Value(kind, range: range)
    }
  }
}
