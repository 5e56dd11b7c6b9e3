import GraphJSON

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
