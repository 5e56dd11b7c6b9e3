public import GraphJSON
public import GraphQLSchema

extension ServiceSchema {
  /// The JSON of a service's response to a complete introspection query (section 4), including the
  /// `data` wrapper.
  ///
  /// Applied directives are lost, except `@deprecated`, `@specifiedBy` and `@oneOf`.
  public func introspectionResult(style: JSONWriter.Style = .indented(by: 2)) -> [UInt8] {
    var writer = IntrospectionWriter(schema: self, json: JSONWriter(style: style))
    writer.writeResponse()
    return writer.json.finish()
  }
}

/// Writes a schema as an introspection result (section 4.2), with the fields in the order of the
/// specification.
struct IntrospectionWriter {
  let schema: ServiceSchema
  var json: JSONWriter

  mutating func writeResponse() {
    object {
      $0.member("data") {
        $0.object {
          $0.member("__schema") { $0.writeSchema() }
        }
      }
    }
  }

  /// Section 4.2.1 __Schema.
  private mutating func writeSchema() {
    let schema = schema
    object { writer in
      writer.string("description", schema.description)
      for operationType in OperationType.allCases {
        writer.member(operationType.rawValue + "Type") {
          $0.writeRoot(schema.rootType(for: operationType))
        }
      }
      writer.list("types", schema.introspectedTypes) { $0.write($1) }
      writer.list("directives", schema.introspectedDirectives) { $0.write($1) }
    }
  }

  /// A root type; introspection queries select only its name and kind.
  private mutating func writeRoot(_ type: ObjectType?) {
    guard let type else { return json.null() }
    object { writer in
      writer.string("name", type.name)
      writer.string("kind", TypeKind.object.rawValue)
    }
  }

  /// Section 4.2.6 __Directive.
  private mutating func write(_ directive: DirectiveDefinition) {
    object { writer in
      writer.string("name", directive.name)
      writer.string("description", directive.description)
      writer.bool("isRepeatable", directive.isRepeatable)
      writer.list("locations", directive.locations) { $0.json.string($1.rawValue) }
      writer.list("args", directive.arguments.elements) { $0.write($1) }
    }
  }
}

extension IntrospectionWriter {
  mutating func object(_ body: (inout IntrospectionWriter) -> Void) {
    json.beginObject()
    body(&self)
    json.endObject()
  }

  mutating func member(_ key: String, _ body: (inout IntrospectionWriter) -> Void) {
    json.key(key)
    body(&self)
  }

  mutating func string(_ key: String, _ value: String?) {
    json.key(key)
    if let value { json.string(value) } else { json.null() }
  }

  mutating func bool(_ key: String, _ value: Bool?) {
    json.key(key)
    if let value { json.bool(value) } else { json.null() }
  }

  /// The elements, or null if there is no list.
  mutating func list<Element>(
    _ key: String, _ elements: [Element]?, _ write: (inout IntrospectionWriter, Element) -> Void
  ) {
    json.key(key)
    guard let elements else { return json.null() }
    json.beginArray()
    for element in elements { write(&self, element) }
    json.endArray()
  }
}

extension IntrospectionWriter {
  /// Section 4.2.2 __Type, for a named type.
  mutating func write(_ type: NamedType) {
    let schema = schema
    object { writer in
      writer.string("kind", type.kind.rawValue)
      writer.string("name", type.name)
      writer.string("description", type.description)
      var specifiedByURL: String?
      if case .scalar(let scalar) = type { specifiedByURL = scalar.specifiedByURL }
      writer.string("specifiedByURL", specifiedByURL)
      var input: InputObjectType?
      if case .inputObject(let type) = type { input = type }
      writer.bool("isOneOf", input?.isOneOf)
      writer.list("fields", type.fields?.elements) { $0.write($1) }
      writer.list("inputFields", input?.fields.elements) { $0.write($1) }
      writer.list("interfaces", type.interfaces?.elements) { $0.writeReference($1.name) }
      var values: [EnumValueDefinition]?
      if case .enum(let enumType) = type { values = enumType.values.elements }
      writer.list("enumValues", values) { $0.write($1) }
      let possibleTypes = type.isAbstractType ? schema.possibleTypes(of: type) : nil
      writer.list("possibleTypes", possibleTypes) { $0.writeReference($1.name) }
    }
  }

  /// Section 4.2.3 __Field.
  private mutating func write(_ field: FieldDefinition) {
    object { writer in
      writer.string("name", field.name)
      writer.string("description", field.description)
      writer.list("args", field.arguments.elements) { $0.write($1) }
      writer.member("type") { $0.write(field.type) }
      writer.deprecation(field.deprecationReason)
    }
  }

  /// Section 4.2.4 __InputValue.
  mutating func write(_ value: InputValueDefinition) {
    object { writer in
      writer.string("name", value.name)
      writer.string("description", value.description)
      writer.member("type") { $0.write(value.type) }
      writer.string("defaultValue", value.defaultValue?.description)
      writer.deprecation(value.deprecationReason)
    }
  }

  /// Section 4.2.5 __EnumValue.
  private mutating func write(_ value: EnumValueDefinition) {
    object { writer in
      writer.string("name", value.name)
      writer.string("description", value.description)
      writer.deprecation(value.deprecationReason)
    }
  }

  private mutating func deprecation(_ reason: String?) {
    bool("isDeprecated", reason != nil)
    string("deprecationReason", reason)
  }

  /// Section 4.2.2 __Type, for a reference. Limited by the depth of the type.
  private mutating func write(_ type: TypeReference) {
    switch type {
    case .named(let name): writeReference(name)
    case .list(let item): writeWrapper("LIST", item)
    case .nonNull(let inner): writeWrapper("NON_NULL", inner)
    }
  }

  private mutating func writeWrapper(_ kind: String, _ type: TypeReference) {
    object { writer in
      writer.string("kind", kind)
      writer.string("name", nil)
      writer.member("ofType") { $0.write(type) }
    }
  }

  private mutating func writeReference(_ name: String) {
    let kind = schema.type(named: name)?.kind.rawValue
    object { writer in
      writer.string("kind", kind)
      writer.string("name", name)
      writer.member("ofType") { $0.json.null() }
    }
  }
}
